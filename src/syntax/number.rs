//! From the digits of a number to its exact value.

use crate::base::Decimal;

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
