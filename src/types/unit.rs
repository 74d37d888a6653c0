//! Suffixes and units of numbers: one table, read by the type of the field that the number is for.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::types::{Dimensions, Type};

/// A family of quantities. Quantities of different families never mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Dimension {
    /// A count of tokens.
    Tokens,
    /// A count of samples (sequences).
    Samples,
    /// A count of optimizer steps.
    Iterations,
    /// Memory, in bytes.
    Bytes,
    /// Time, in seconds.
    Duration,
    /// Memory moved in a time, in bytes per second.
    Bandwidth,
    /// Tokens worked through in a time, per second.
    Throughput,
    /// Operations with floating-point numbers, per second.
    Flops,
}

impl Dimension {
    /// All of them.
    pub const ALL: [Dimension; 8] = [
        Dimension::Tokens,
        Dimension::Samples,
        Dimension::Iterations,
        Dimension::Bytes,
        Dimension::Duration,
        Dimension::Bandwidth,
        Dimension::Throughput,
        Dimension::Flops,
    ];

    /// The type's name in the language, and the unit that a plain number of it has.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::Tokens => "tokens",
            Dimension::Samples => "samples",
            Dimension::Iterations => "iters",
            Dimension::Bytes => "bytes",
            Dimension::Duration => "duration",
            Dimension::Bandwidth => "bandwidth",
            Dimension::Throughput => "throughput",
            Dimension::Flops => "flops",
        }
    }

    /// The unit behind a number in canonical output.
    pub fn unit(self) -> &'static str {
        match self {
            Dimension::Duration => "s",
            Dimension::Bandwidth => "bytes/s",
            Dimension::Throughput => "tokens/s",
            Dimension::Flops => "FLOPS",
            Dimension::Tokens | Dimension::Samples | Dimension::Iterations | Dimension::Bytes => self.name(),
        }
    }

    /// A value as one would write it, for help texts.
    pub fn example(self) -> &'static str {
        match self {
            Dimension::Tokens => "10B tokens",
            Dimension::Samples => "5M samples",
            Dimension::Iterations => "20_000 iters",
            Dimension::Bytes => "80 GiB",
            Dimension::Duration => "5 min",
            Dimension::Bandwidth => "900 GB/s",
            Dimension::Throughput => "25k tokens/s",
            Dimension::Flops => "989 TFLOPS",
        }
    }

    /// Whether it counts things, so that `k M B T` are powers of ten and fractions of one make no sense.
    pub fn is_count(self) -> bool {
        match self {
            Dimension::Tokens | Dimension::Samples | Dimension::Iterations => true,
            Dimension::Bytes
            | Dimension::Duration
            | Dimension::Bandwidth
            | Dimension::Throughput
            | Dimension::Flops => false,
        }
    }

    /// What it is per time.
    fn rate(self) -> Option<Dimension> {
        match self {
            Dimension::Bytes => Some(Dimension::Bandwidth),
            Dimension::Tokens => Some(Dimension::Throughput),
            Dimension::Samples
            | Dimension::Iterations
            | Dimension::Duration
            | Dimension::Bandwidth
            | Dimension::Throughput
            | Dimension::Flops => None,
        }
    }

    /// The family of a product: a rate for a time.
    pub fn times(self, other: Dimension) -> Option<Dimension> {
        let rate = match (self, other) {
            (Dimension::Duration, rate) | (rate, Dimension::Duration) => rate,
            _ => return None,
        };
        Dimension::ALL.into_iter().find(|amount| amount.rate() == Some(rate))
    }

    /// The family of a quotient: an amount over a time is a rate, over its rate a time. Two of one family make a plain
    /// number, which is `Some(None)`.
    pub fn over(self, other: Dimension) -> Option<Option<Dimension>> {
        match self.rate() {
            _ if self == other => Some(None),
            Some(rate) if other == Dimension::Duration => Some(Some(rate)),
            Some(rate) if other == rate => Some(Some(Dimension::Duration)),
            Some(_) | None => None,
        }
    }
}

/// What letters behind a number mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// A factor alone: `k`, `Gi`.
    Factor,
    /// `%`.
    Percent,
    /// A unit of that family.
    Unit(Dimension),
}

/// (spelling, meaning, factor). `B` stands twice: a billion of a count, a byte of memory.
const TABLE: &[(&str, Meaning, u64)] = &[
    ("k", Meaning::Factor, 1_000),
    ("K", Meaning::Factor, 1_000),
    ("M", Meaning::Factor, 1_000_000),
    ("B", Meaning::Factor, 1_000_000_000),
    ("T", Meaning::Factor, 1_000_000_000_000),
    ("Ki", Meaning::Factor, 1 << 10),
    ("Mi", Meaning::Factor, 1 << 20),
    ("Gi", Meaning::Factor, 1 << 30),
    ("Ti", Meaning::Factor, 1 << 40),
    ("%", Meaning::Percent, 1),
    ("token", Meaning::Unit(Dimension::Tokens), 1),
    ("tokens", Meaning::Unit(Dimension::Tokens), 1),
    ("sample", Meaning::Unit(Dimension::Samples), 1),
    ("samples", Meaning::Unit(Dimension::Samples), 1),
    ("iter", Meaning::Unit(Dimension::Iterations), 1),
    ("iters", Meaning::Unit(Dimension::Iterations), 1),
    ("bytes", Meaning::Unit(Dimension::Bytes), 1),
    ("B", Meaning::Unit(Dimension::Bytes), 1),
    ("kB", Meaning::Unit(Dimension::Bytes), 1_000),
    ("KB", Meaning::Unit(Dimension::Bytes), 1_000),
    ("MB", Meaning::Unit(Dimension::Bytes), 1_000_000),
    ("GB", Meaning::Unit(Dimension::Bytes), 1_000_000_000),
    ("TB", Meaning::Unit(Dimension::Bytes), 1_000_000_000_000),
    ("KiB", Meaning::Unit(Dimension::Bytes), 1 << 10),
    ("MiB", Meaning::Unit(Dimension::Bytes), 1 << 20),
    ("GiB", Meaning::Unit(Dimension::Bytes), 1 << 30),
    ("TiB", Meaning::Unit(Dimension::Bytes), 1 << 40),
    ("s", Meaning::Unit(Dimension::Duration), 1),
    ("sec", Meaning::Unit(Dimension::Duration), 1),
    ("min", Meaning::Unit(Dimension::Duration), 60),
    ("h", Meaning::Unit(Dimension::Duration), 3_600),
    ("d", Meaning::Unit(Dimension::Duration), 86_400),
    ("bytes/s", Meaning::Unit(Dimension::Bandwidth), 1),
    ("B/s", Meaning::Unit(Dimension::Bandwidth), 1),
    ("kB/s", Meaning::Unit(Dimension::Bandwidth), 1_000),
    ("KB/s", Meaning::Unit(Dimension::Bandwidth), 1_000),
    ("MB/s", Meaning::Unit(Dimension::Bandwidth), 1_000_000),
    ("GB/s", Meaning::Unit(Dimension::Bandwidth), 1_000_000_000),
    ("TB/s", Meaning::Unit(Dimension::Bandwidth), 1_000_000_000_000),
    ("KiB/s", Meaning::Unit(Dimension::Bandwidth), 1 << 10),
    ("MiB/s", Meaning::Unit(Dimension::Bandwidth), 1 << 20),
    ("GiB/s", Meaning::Unit(Dimension::Bandwidth), 1 << 30),
    ("TiB/s", Meaning::Unit(Dimension::Bandwidth), 1 << 40),
    ("token/s", Meaning::Unit(Dimension::Throughput), 1),
    ("tokens/s", Meaning::Unit(Dimension::Throughput), 1),
    ("FLOPS", Meaning::Unit(Dimension::Flops), 1),
    ("GFLOPS", Meaning::Unit(Dimension::Flops), 1_000_000_000),
    ("TFLOPS", Meaning::Unit(Dimension::Flops), 1_000_000_000_000),
    ("PFLOPS", Meaning::Unit(Dimension::Flops), 1_000_000_000_000_000),
];

/// A number with its suffix and unit worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The exact value, in the base unit of its family.
    pub value: Decimal,
    /// The family, if a unit named one.
    pub dimension: Option<Dimension>,
    /// Whether `%` was written.
    pub percent: bool,
}

/// Why letters behind a number can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitError {
    /// They mean nothing.
    Unknown(String),
    /// Two units, or a unit after a byte suffix: `10GB tokens`.
    Twice(String, String),
    /// The value leaves the range of exact numbers.
    TooLarge,
}

/// Reads `value suffix unit` as it is meant for a field of type `wanted`.
///
/// # Errors
/// Letters without a meaning, two units, or a value out of range.
pub fn measure(
    value: Decimal,
    suffix: Option<&str>,
    unit: Option<&str>,
    wanted: Option<&Type>,
) -> Result<Measure, UnitError> {
    let bytes_wanted = wanted.is_some_and(|ty| ty.dimensions().is_some_and(|set| set.contains(Dimension::Bytes)));
    let mut measure = Measure { value, dimension: None, percent: false };
    for letters in [suffix, unit].into_iter().flatten() {
        let rows = TABLE.iter().filter(|row| row.0 == letters);
        let mut rows = rows.map(|row| (row.1, row.2));
        let (first, second) = (rows.next(), rows.next());
        let Some(first) = first else { return Err(UnitError::Unknown(letters.to_owned())) };
        // `B` for memory is a byte, elsewhere a billion.
        let (meaning, factor) = match second {
            Some(second) if bytes_wanted => second,
            Some(_) | None => first,
        };
        match meaning {
            Meaning::Factor => {}
            Meaning::Percent => {
                measure.percent = true;
                measure.value = measure.value.checked_div(Decimal::ONE_HUNDRED).ok_or(UnitError::TooLarge)?;
            }
            Meaning::Unit(dimension) => {
                if measure.dimension.is_some() || measure.percent {
                    let first = suffix.unwrap_or_default().to_owned();
                    return Err(UnitError::Twice(first, letters.to_owned()));
                }
                measure.dimension = Some(dimension);
            }
        }
        measure.value = measure.value.checked_mul(Decimal::from(factor)).ok_or(UnitError::TooLarge)?;
    }
    Ok(measure)
}

/// What to write instead of `digits suffix unit`, where the letters named a family and the field wants another.
///
/// `10GB` for tokens most likely meant ten billion: the factor stays, the unit goes. Of several families the first one
/// is offered, with its unit.
pub fn suggestion(digits: &str, suffix: Option<&str>, unit: Option<&str>, wanted: Dimensions) -> Option<String> {
    let letters = unit.or(suffix)?;
    let dimension = wanted.iter().next()?;
    let family = if wanted.single().is_some() { String::new() } else { format!(" {}", dimension.unit()) };
    let factor = match letters.strip_suffix("iB").or_else(|| letters.strip_suffix('B'))? {
        "" => return None,
        "k" | "K" => "k",
        "M" => "M",
        "G" => "B",
        "T" => "T",
        _ => return None,
    };
    dimension.is_count().then(|| format!("{digits}{factor}{family}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(
        value: i64,
        suffix: Option<&str>,
        unit: Option<&str>,
        ty: &Type,
    ) -> Result<(String, Option<Dimension>), UnitError> {
        let measure = measure(Decimal::from(value), suffix, unit, Some(ty))?;
        Ok((measure.value.normalize().to_string(), measure.dimension))
    }

    #[test]
    fn the_type_of_the_field_decides_what_letters_mean() {
        let tokens = Type::Quantity(Dimensions::one(Dimension::Tokens));
        let bytes = Type::Quantity(Dimensions::one(Dimension::Bytes));
        let bandwidth = Type::Quantity(Dimensions::one(Dimension::Bandwidth));
        let cases = [
            (10, Some("T"), Some("tokens"), &tokens, "10000000000000", Some(Dimension::Tokens)),
            (10, Some("B"), None, &tokens, "10000000000", None),
            (10, Some("B"), None, &bytes, "10", Some(Dimension::Bytes)),
            (80, None, Some("GiB"), &bytes, "85899345920", Some(Dimension::Bytes)),
            (2, Some("Ki"), None, &Type::Int, "2048", None),
            (1, Some("%"), None, &Type::Fraction, "0.01", None),
            (5, None, Some("min"), &bytes, "300", Some(Dimension::Duration)),
            (900, None, Some("GB/s"), &bandwidth, "900000000000", Some(Dimension::Bandwidth)),
            (25, Some("k"), Some("tokens/s"), &bandwidth, "25000", Some(Dimension::Throughput)),
            (989, None, Some("TFLOPS"), &bandwidth, "989000000000000", Some(Dimension::Flops)),
        ];
        for (value, suffix, unit, ty, wanted, dimension) in cases {
            assert_eq!(
                read(value, suffix, unit, ty),
                Ok((wanted.to_owned(), dimension)),
                "{value} {suffix:?} {unit:?}"
            );
        }
        assert_eq!(read(1, Some("x"), None, &tokens), Err(UnitError::Unknown("x".to_owned())));
        let twice = UnitError::Twice("GB".to_owned(), "tokens".to_owned());
        assert_eq!(read(1, Some("GB"), Some("tokens"), &tokens), Err(twice));
    }

    #[test]
    fn a_wrong_family_suggests_the_count_that_was_meant() {
        let tokens = Dimensions::one(Dimension::Tokens);
        assert_eq!(suggestion("10", Some("GB"), None, tokens).as_deref(), Some("10B"));
        assert_eq!(suggestion("5", None, Some("min"), tokens), None);
        let either = tokens.union(Dimensions::one(Dimension::Iterations));
        assert_eq!(suggestion("10", Some("GB"), None, either).as_deref(), Some("10B tokens"));
    }
}
