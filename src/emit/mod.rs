//! Temporary.
/// Temporary.
pub mod args {
    use crate::spec::ArgumentSet;
    /// Temporary.
    pub fn args(_: &ArgumentSet, _: bool) -> Vec<String> { Vec::new() }
    /// Temporary.
    pub fn shell(_: &[String]) -> String { String::new() }
}
