//! The `dlm` command.

fn main() {}
