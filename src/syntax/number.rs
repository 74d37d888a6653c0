//! From the digits of a number to its exact value.

use crate::base::{Decimal, Name, Span};
use crate::syntax::ast::{Expr, ExprKind, Ident, Number, UnaryOp};

/// The value of `1_000`, `3e-4`, `0.10`; `None` if it cannot be kept exactly.
pub(crate) fn exact(written: &str) -> Option<Decimal> {
    let (mantissa, exponent) = match written.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (written, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: String = whole.chars().chain(fraction.chars()).filter(char::is_ascii_digit).collect();
    let behind_point = fraction.bytes().filter(u8::is_ascii_digit).count();
    let mut scale = i64::try_from(behind_point).ok()?.checked_sub(exponent)?;
    if digits.bytes().all(|digit| digit == b'0') {
        let scale = u32::try_from(scale.clamp(0, i64::from(Decimal::MAX_SCALE))).ok()?;
        return Some(Decimal::new(0, scale));
    }
    // Zeros at the end carry nothing: drop those behind the point that there is no room for.
    while scale > 0 && (scale > i64::from(Decimal::MAX_SCALE) || digits.len() > MAX_DIGITS) && digits.ends_with('0') {
        digits.pop();
        scale -= 1;
    }
    let significant = digits.trim_start_matches('0');
    let zeros = usize::try_from(-scale).unwrap_or(0);
    if significant.len().checked_add(zeros)? > MAX_DIGITS {
        return None;
    }
    let number: i128 = format!("{significant}{}", "0".repeat(zeros)).parse().ok()?;
    Decimal::try_from_i128_with_scale(number, u32::try_from(scale.max(0)).ok()?).ok()
}

/// A number as a values file writes it, with suffix and unit, alone in its text: `3e-4`, `-1`, `2Ki`, `10T tokens`, `1%`. YAML's
/// own forms are read too (`+3`, `.5`, `010`); nothing else of it is a number.
pub(crate) fn literal(text: &str, span: Span) -> Option<Expr> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let start = text.len() - unsigned.len();
    let mut digits = run(unsigned, 0);
    let whole = digits;
    let mut fractional = unsigned.get(digits..).is_some_and(|rest| rest.starts_with('.'));
    if fractional {
        digits = run(unsigned, digits + 1);
    }
    if digits == usize::from(fractional) || unsigned.get(..digits)?.contains("__") {
        return None;
    }
    let rest = unsigned.get(digits..)?;
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let signed = usize::from(exponent.starts_with(['+', '-']));
        let end = run(exponent, signed);
        if end > signed {
            (digits, fractional) = (digits + 1 + end, true);
        }
    }
    let value = exact(unsigned.get(..digits)?);
    let rest = unsigned.get(digits..)?;
    let letters = rest.find(|letter: char| !letter.is_ascii_alphabetic() && letter != '%').unwrap_or(rest.len());
    let (suffix, unit) = rest.split_at_checked(letters)?;
    let word = unit.trim_start();
    let is_word = word.chars().all(|letter| letter.is_ascii_alphabetic());
    // A unit is a word of its own; digits need one at least on a side of their point.
    if !is_word || (!word.is_empty() && word.len() == unit.len()) || (whole == 0 && !fractional) {
        return None;
    }
    let ident = |text: &str, at: usize| {
        let at = span.start as usize + start + at;
        (!text.is_empty()).then(|| Ident { name: Name::new(text), span: Span::new(span.file, at, at + text.len()) })
    };
    let (suffix, unit) = (ident(suffix, digits), ident(word, unsigned.len() - word.len()));
    let number = Expr { span, kind: ExprKind::Number(Number { value: value?, fractional, suffix, unit }) };
    Some(match negative {
        true => Expr { span, kind: ExprKind::Unary(UnaryOp::Negate, Box::new(number)) },
        false => number,
    })
}

/// Where a run of digits and underscores ends.
fn run(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or("");
    from + rest.find(|letter: char| !letter.is_ascii_digit() && letter != '_').unwrap_or(rest.len())
}

/// No decimal of more digits fits in the 96 bits that one has.
const MAX_DIGITS: usize = 29;

#[cfg(test)]
mod tests {
    use super::exact;

    #[test]
    fn values_are_exact() {
        let table = [
            ("0", "0"),
            ("50_289", "50289"),
            ("3e-4", "0.0003"),
            ("1.5e+10", "15000000000"),
            ("1.5E10", "15000000000"),
            ("0.1", "0.1"),
            ("1e28", "10000000000000000000000000000"),
            ("1e-28", "0.0000000000000000000000000001"),
            ("10e-29", "0.0000000000000000000000000001"),
            ("0e999", "0"),
            ("79228162514264337593543950335", "79228162514264337593543950335"),
            ("0.10000000000000000000000000000000000", "0.1"),
            ("100.00", "100"),
        ];
        for (written, value) in table {
            let found = exact(written).map(|number| number.normalize().to_string());
            assert_eq!(found.as_deref(), Some(value), "{written}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_and_never_rounded() {
        let table = [
            "79228162514264337593543950336",
            "1e29",
            "1e-29",
            "0.12345678901234567890123456789",
            "1e9223372036854775808",
            "1e-9223372036854775807",
            "123456789012345678901234567890",
        ];
        for written in table {
            assert_eq!(exact(written), None, "{written}");
        }
    }
}
