//! The `dlm` command.

fn main() -> std::process::ExitCode {
    dlm::cli::main()
}
