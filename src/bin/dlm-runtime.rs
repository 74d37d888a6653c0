//! The `dlm-runtime` command: executes a `run.json`.

fn main() -> std::process::ExitCode {
    dlm::cli::runtime::main()
}
