//! The words of a target's command line made into settings, as the target's own parser (Python's argparse) reads them.

use std::collections::HashMap;

use crate::base::{Decimal, Span};
use crate::diag::{Certainty, Sink};
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::fit::fit_refined;
use crate::resolve::limits::Limit;
use crate::resolve::{Change, Field, FieldId, Flag, FlagKind, Schema, Setting, errors};
use crate::syntax;
use crate::types::{Data, Dimensions, EnumType, Type};

/// A word of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What the program was given.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Whether it stands there letter by letter, without quotes around it.
    pub is_plain: bool,
}

/// Settings of the flags in `words`, each field once, in the order of the words. What is wrong is reported; a field whose
/// value is wrong counts as set.
pub fn flags(enums: &[EnumType], schema: &Schema, words: &[Word], sink: &mut Sink) -> Vec<Setting> {
    let mut known = Vec::new();
    for (id, field) in schema.iter() {
        for flag in field.flag.iter() {
            known.extend(flag.spellings.iter().map(|spelling| Known { spelling, id, flag }));
        }
    }
    let mut reader = Reader { enums, schema, known, sink, out: Vec::new(), places: HashMap::new() };
    reader.all(words);
    reader.out.into_iter().flatten().collect()
}

/// A spelling of a flag.
#[derive(Clone, Copy)]
struct Known<'a> {
    spelling: &'a str,
    id: FieldId,
    flag: &'a Flag,
}

struct Reader<'a> {
    enums: &'a [EnumType],
    schema: &'a Schema,
    known: Vec<Known<'a>>,
    sink: &'a mut Sink,
    /// Settings in order; those that a later flag replaced are gone.
    out: Vec<Option<Setting>>,
    /// Where the setting of each field stands in `out`.
    places: HashMap<FieldId, usize>,
}

impl<'a> Reader<'a> {
    fn all(&mut self, mut words: &[Word]) {
        while let Some((word, rest)) = words.split_first() {
            let values = rest.iter().take_while(|word| !self.is_flag(&word.text)).count();
            let (values, after) = rest.split_at_checked(values).unwrap_or((rest, &[]));
            words = after;
            // `--lr -1e-5`: for the target a flag without its value and an unknown flag, for people one slip.
            if let (Some((value, after)), [], true) = (after.split_first(), values, self.wants_value(&word.text))
                && value.text.starts_with('-')
                && python_number(&value.text, Digits::Real).is_ok()
            {
                self.sink.push(errors::unjoined_value(word.span.to(value.span), &word.text, &value.text));
                self.failed(&word.text, word.span);
                words = after;
                continue;
            }
            if !self.is_flag(&word.text) {
                // Words at the very beginning; later ones are met behind the flag that they follow.
                self.sink.push(errors::stray_word(word.span.to(last(word, values)), None));
                continue;
            }
            self.flag(word, values);
        }
    }

    /// Whether argparse takes a word for a flag, known or not: it starts with a dash, and is neither a negative number nor
    /// text with blanks.
    fn is_flag(&self, text: &str) -> bool {
        if !text.starts_with('-') || text.len() == 1 {
            return false;
        }
        let named = text.split_once('=').map_or(text, |joined| joined.0);
        self.known.iter().any(|known| known.spelling == text || known.spelling == named)
            || !(is_negative_number(text) || text.contains(' '))
    }

    fn wants_value(&self, name: &str) -> bool {
        let mut known = self.known.iter().filter(|known| known.spelling == name);
        known.any(|known| matches!(known.flag.kind, FlagKind::Value | FlagKind::Many))
    }

    /// A flag that was complained about counts as given, so that its field is not reported as missing.
    fn failed(&mut self, name: &str, span: Span) {
        let known = self.known.iter().find(|known| known.spelling == name).copied();
        if let Some(known) = known.filter(|known| !self.places.contains_key(&known.id)) {
            let value = Expr::failed(span, self.schema.field(known.id).ty.clone());
            self.set(
                known,
                Setting { change: Change::Set(known.id, value), path: span, span, is_final: None, entry: None },
            );
        }
    }

    fn flag(&mut self, word: &Word, values: &[Word]) {
        let (name, joined) = match word.text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.text.as_str(), None),
        };
        let place = word.part(0..name.len());
        let Some(known) = self.find(name, place, &word.text, word.span) else { return };
        let field = self.schema.field(known.id);
        if let Some(reason) = &field.deprecated {
            let diagnostic = errors::deprecated_field(place, name, field, reason, None);
            let successor = self.schema.successor(field).and_then(|id| self.schema.field(id).flag.as_ref());
            self.sink.push(match successor.and_then(|flag| flag.spellings.first()) {
                Some(spelling) => diagnostic.replace(place, spelling, Certainty::Sure),
                None => diagnostic,
            });
        }
        let joined = joined.map(|text| Word {
            text: text.to_owned(),
            span: word.part(name.len() + 1..word.text.len()),
            is_plain: word.is_plain,
        });
        let (taken, stray) = match (known.flag.kind, &joined) {
            (FlagKind::StoreTrue | FlagKind::StoreFalse, Some(value)) => {
                self.sink.push(errors::flag_without_value(word.span, known.spelling, &value.text));
                (&[][..], values)
            }
            (FlagKind::StoreTrue | FlagKind::StoreFalse, None) => (&[][..], values),
            (FlagKind::Value | FlagKind::Many, Some(_)) => (joined.as_slice(), values),
            (FlagKind::Value, None) => values.split_at_checked(1).unwrap_or((&[], values)),
            (FlagKind::Many, None) => (values, &[][..]),
        };
        if let Some(first) = stray.first() {
            self.sink
                .push(errors::stray_word(first.span.to(last(first, stray)), Some((known.spelling, known.flag.kind))));
        }
        let span = taken.last().map_or(word.span, |value| word.span.to(value.span));
        let value = self.value(known, field, word, taken, &joined);
        self.set(
            known,
            Setting { change: Change::Set(known.id, value), path: place, span, is_final: None, entry: None },
        );
    }

    fn set(&mut self, known: Known<'_>, setting: Setting) {
        let earlier = self.places.insert(known.id, self.out.len());
        if let Some(first) = earlier.and_then(|at| self.out.get_mut(at)).and_then(Option::take) {
            self.sink.push(errors::repeated_flag(setting.span, first.span, known.spelling));
        }
        self.out.push(Some(setting));
    }

    /// The flag of that name, or the only one that begins so.
    fn find(&mut self, name: &str, place: Span, whole: &str, span: Span) -> Option<Known<'a>> {
        let exact = |name: &str| self.known.iter().find(|known| known.spelling == name).copied();
        if let Some(known) = exact(whole).or_else(|| exact(name)) {
            return Some(known);
        }
        let longer: Vec<Known<'a>> = match name.starts_with("--") && name.len() > 2 {
            true => self.known.iter().filter(|known| known.spelling.starts_with(name)).copied().collect(),
            false => Vec::new(),
        };
        match longer.as_slice() {
            [only] => Some(*only),
            [] => {
                let known = self.known.iter().map(|known| known.spelling);
                let meant = errors::meant_flag(name, known);
                self.sink.push(errors::unknown_flag(self.schema, place, name, meant));
                if let Some(meant) = meant {
                    self.failed(meant, span);
                }
                None
            }
            several => {
                let names: Vec<&str> = several.iter().map(|known| known.spelling).collect();
                self.sink.push(errors::ambiguous_flag(span, name, &names));
                None
            }
        }
    }

    fn value(&mut self, known: Known<'_>, field: &Field, word: &Word, taken: &[Word], joined: &Option<Word>) -> Expr {
        let ty = field.ty.clone();
        let all = taken.iter().map(|word| word.span).reduce(Span::to).unwrap_or(word.span);
        let data = match (known.flag.kind, taken) {
            (FlagKind::StoreTrue | FlagKind::StoreFalse, _) if joined.is_some() => None,
            (FlagKind::StoreTrue, _) => Some(Data::Bool(true)),
            (FlagKind::StoreFalse, _) => Some(Data::Bool(false)),
            (FlagKind::Value, [only]) => self.read(known, &ty, only),
            (FlagKind::Value, _) => {
                self.sink.push(errors::flag_needs_value(word.span, known.spelling, field));
                None
            }
            (FlagKind::Many, items) => {
                let inner = match ty.required() {
                    Type::List(inner) => inner,
                    other => other,
                };
                if items.len() > Limit::Items.most() {
                    self.sink.push(errors::limit(all, Limit::Items));
                    return Expr::failed(all, ty);
                }
                let read: Vec<Option<Data>> = items.iter().map(|item| self.read(known, inner, item)).collect();
                read.into_iter().collect::<Option<Vec<Data>>>().map(|items| Data::List(items.into()))
            }
        };
        let Some(data) = data else { return Expr::failed(all, ty) };
        match fit_refined(data.clone(), &field.ty, &field.refinements) {
            Ok(data) => Expr { span: all, ty, kind: ExprKind::Const(data) },
            Err(misfit) => {
                self.sink.push(errors::misfit(all, &data, &misfit, field));
                Expr::failed(all, ty)
            }
        }
    }

    /// One word as a value of a type.
    fn read(&mut self, known: Known<'_>, ty: &Type, word: &Word) -> Option<Data> {
        let text = word.text.as_str();
        match ty.required() {
            Type::Int => self.number(known, word, Digits::Whole),
            Type::Quantity(set) if set.iter().all(|dimension| dimension.is_count()) => {
                self.number(known, word, Digits::Whole).map(|data| with_unit(data, *set))
            }
            Type::Float | Type::Fraction => self.number(known, word, Digits::Real),
            Type::Quantity(set) => self.number(known, word, Digits::Real).map(|data| with_unit(data, *set)),
            // Python's `bool` of any text that is not empty.
            Type::Bool => Some(Data::Bool(!text.is_empty())),
            Type::String | Type::Path if text.len() > Limit::Text.most() => {
                self.sink.push(errors::limit(word.span, Limit::Text));
                None
            }
            Type::String | Type::Path => Some(Data::Text(text.into())),
            Type::Enum(reference) => {
                let variants = self.enums.get(reference.id.0 as usize).map_or(&[][..], |found| &found.variants);
                let found = variants.iter().find(|variant| variant.spelling == text);
                if found.is_none() {
                    let choices = variants.iter().map(|variant| variant.spelling.as_str());
                    let field = self.schema.field(known.id);
                    self.sink.push(errors::no_choice(word.span, known.spelling, text, choices, field));
                }
                found.map(|variant| Data::Enum(variant.name, variant.spelling.as_str().into()))
            }
            Type::List(inner) => {
                let part = |text: &str| Word { text: text.to_owned(), ..word.clone() };
                let items: Vec<Option<Data>> =
                    text.split(',').map(|text| self.read(known, inner, &part(text))).collect();
                items.into_iter().collect::<Option<Vec<Data>>>().map(|items| Data::List(items.into()))
            }
            Type::Optional(_) => None,
        }
    }

    fn number(&mut self, known: Known<'_>, word: &Word, digits: Digits) -> Option<Data> {
        let read = python_number(&word.text, digits);
        if let Err(why) = read {
            let field = self.schema.field(known.id);
            self.sink.push(errors::no_number(word.span, known.spelling, &word.text, digits, why, field));
        }
        read.ok().map(Data::Number)
    }
}

impl Word {
    /// The place of a part, or of the whole where quotes stand between.
    fn part(&self, range: std::ops::Range<usize>) -> Span {
        let start = self.span.start as usize;
        match self.is_plain {
            true => Span::new(self.span.file, start + range.start, start + range.end),
            false => self.span,
        }
    }
}

fn last(first: &Word, more: &[Word]) -> Span {
    more.last().map_or(first.span, |last| last.span)
}

fn with_unit(data: Data, set: Dimensions) -> Data {
    match (data, set.single()) {
        (Data::Number(value), Some(dimension)) => Data::Quantity(value, dimension),
        (data, _) => data,
    }
}

/// What kind of number the target reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::resolve) enum Digits {
    /// Python's `int`.
    Whole,
    /// Python's `float`.
    Real,
}

/// Why a text is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::resolve) enum NoNumber {
    /// The target would refuse it.
    Foreign,
    /// `inf`, `nan`: the target takes it, the language has no such number.
    NotFinite,
    /// It has more digits than the language keeps.
    Inexact,
}

/// A number as Python's `int(text)` or `float(text)` reads it.
fn python_number(text: &str, digits: Digits) -> Result<Decimal, NoNumber> {
    let text = text.trim();
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = unsigned.to_ascii_lowercase();
    if digits == Digits::Real && matches!(lower.as_str(), "inf" | "infinity" | "nan") {
        return Err(NoNumber::NotFinite);
    }
    let (mantissa, exponent) = match lower.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (lower.as_str(), None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    // Digits, with single underscores between them.
    let run = |text: &str| {
        !text.is_empty()
            && text.split('_').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let empty_or_run = |text: &str| text.is_empty() || run(text);
    let sound = match (digits, fraction, exponent) {
        (Digits::Whole, None, None) => run(whole),
        (Digits::Whole, _, _) => false,
        (Digits::Real, fraction, exponent) => {
            let mantissa = match fraction {
                Some(fraction) => {
                    empty_or_run(whole) && empty_or_run(fraction) && !(whole.is_empty() && fraction.is_empty())
                }
                None => run(whole),
            };
            mantissa
                && exponent.is_none_or(|exponent| run(exponent.trim_start_matches(['+', '-'])) && signs(exponent) < 2)
        }
    };
    if !sound {
        return Err(NoNumber::Foreign);
    }
    let value = syntax::exact(&lower.replace('_', "")).ok_or(NoNumber::Inexact)?;
    Ok(if negative { -value } else { value })
}

fn signs(text: &str) -> usize {
    text.bytes().take_while(|byte| matches!(byte, b'+' | b'-')).count()
}

/// What argparse takes for a negative number, and so for no flag.
fn is_negative_number(text: &str) -> bool {
    let Some(text) = text.strip_prefix('-') else { return false };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction) && !fraction.is_empty(),
        None => digits(text) && !text.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_python_does() {
        let real = |text: &str| python_number(text, Digits::Real).map(|value| value.normalize().to_string());
        for (text, value) in [
            ("1e-4", "0.0001"),
            ("1E5", "100000"),
            ("1_000", "1000"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-0.1", "-0.1"),
            ("+3", "3"),
            (" 2 ", "2"),
            ("1_0.0_1e1_0", "100100000000"),
            ("010", "10"),
        ] {
            assert_eq!(real(text).as_deref(), Ok(value), "{text}");
        }
        for text in ["", "1__0", "_1", "1_", "e5", ".", "0x10", "1e", "1e+-5", "1k", "1,5", "--1", "1 0"] {
            assert_eq!(real(text), Err(NoNumber::Foreign), "{text}");
        }
        for text in ["inf", "-Infinity", "NaN"] {
            assert_eq!(real(text), Err(NoNumber::NotFinite), "{text}");
        }
        assert_eq!(real("1e-40"), Err(NoNumber::Inexact));
        let whole = |text: &str| python_number(text, Digits::Whole).map(|value| value.to_string());
        assert_eq!(whole("1_000").as_deref(), Ok("1000"));
        assert_eq!(whole("-7").as_deref(), Ok("-7"));
        for text in ["1e3", "1.0", "28.0", "", "0x1"] {
            assert_eq!(whole(text), Err(NoNumber::Foreign), "{text}");
        }
    }

    #[test]
    fn negative_numbers_are_no_flags() {
        assert_eq!(["-1", "-.5", "-0.5"].map(is_negative_number), [true; 3]);
        assert_eq!(["-1e-5", "-", "--1", "-1.", "-x"].map(is_negative_number), [false; 5]);
    }
}
