//! The `dlm-runtime` command: executes a `run.json`.

fn main() {}
