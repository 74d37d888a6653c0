//! x
use crate::syntax::parse::Rule;
pub(super) fn expected(r: &[Rule]) -> String {
    format!("{r:?}")
}
