//! Complaints about values and expressions.

use rust_decimal::Decimal;

use crate::base::{Name, Span, nearest};
use crate::diag::{Certainty, Diagnostic, Edit, Fix};
use crate::resolve::errors::{
    BAD_CALL, BAD_OPERANDS, NO_UNIT, NO_VALUE, NOT_WHOLE, OUT_OF_RANGE, SUPER_OUTSIDE, UNKNOWN_UNIT, UNKNOWN_VALUE,
    WRONG_TYPE, WRONG_UNIT,
};
use crate::resolve::eval::EvalError;
use crate::resolve::expr::Expr;
use crate::resolve::fit::Misfit;
use crate::resolve::typing::{Typer, Wanted};
use crate::resolve::{Field, Group, Member, Schema};
use crate::syntax::ast;
use crate::types::{
    Data, Dimension, Dimensions, EnumType, Function, MAX_TEXT, Measure, OpError, Refinement, Type, UnitError,
    suggestion,
};

/// A value of another type than the field's, with the edit where one is obvious.
pub(in crate::resolve) fn wrong_type(
    enums: &[EnumType],
    source: &ast::Expr,
    expr: &Expr,
    wanted: Wanted<'_>,
) -> Diagnostic {
    let ty = wanted.ty.required();
    let given = match expr.constant() {
        Some(Data::None) => "this is `none`".to_owned(),
        Some(_) | None => format!("this is {}", with_article(&expr.ty)),
    };
    let diagnostic = match wanted.field {
        Some(field) => {
            let message = format!("`{}` is {}, but {given}", field.path, with_article(wanted.ty));
            declared(Diagnostic::new(&WRONG_TYPE, expr.span, message), field)
        }
        None => Diagnostic::new(&WRONG_TYPE, expr.span, format!("{} is wanted here, but {given}", with_article(ty))),
    };
    let span = expr.span;
    match (&source.kind, ty) {
        (ast::ExprKind::None, _) => diagnostic
            .help("`none` is a value of optional types alone (`int?`); to go back to the default write `unset`"),
        (ast::ExprKind::String(text), Type::Int | Type::Float | Type::Fraction | Type::Quantity(_))
            if is_number(text) =>
        {
            diagnostic.help("numbers are written without quotes").replace(span, text.trim(), Certainty::Sure)
        }
        (ast::ExprKind::String(text), Type::Bool) => match text.to_lowercase().as_str() {
            yes @ ("true" | "false") => {
                diagnostic.help("switches are written without quotes").replace(span, yes, Certainty::Sure)
            }
            _ => diagnostic.help("a switch is `true` or `false`"),
        },
        (ast::ExprKind::Number(_), Type::Bool) => diagnostic.help("a switch is `true` or `false`"),
        (ast::ExprKind::String(text), Type::Enum(reference)) => {
            let variants = enums.get(reference.id.0 as usize).map_or(&[][..], |found| &found.variants);
            let meant = variants.iter().find(|variant| variant.spelling == *text || variant.name.as_str() == text);
            match meant {
                Some(variant) => diagnostic.help("values of an enum are written without quotes").replace(
                    span,
                    variant.name.as_str(),
                    Certainty::Sure,
                ),
                None => diagnostic.help(one_of(variants.iter().map(|variant| variant.name))),
            }
        }
        (_, Type::Enum(reference)) => {
            let variants = enums.get(reference.id.0 as usize).map_or(&[][..], |found| &found.variants);
            diagnostic.help(one_of(variants.iter().map(|variant| variant.name)))
        }
        (ast::ExprKind::Number(_), Type::String | Type::Path) => {
            surround(diagnostic.help("text stands in quotes"), span, "\"", "\"", Certainty::Sure)
        }
        (_, Type::List(inner)) if inner.accepts(&expr.ty) => {
            surround(diagnostic.help("a list stands in brackets, also with one item"), span, "[", "]", Certainty::Sure)
        }
        (_, Type::Int) if expr.ty.is_number() => {
            diagnostic.help("`floor`, `ceil` or `round` make a whole number of it, or `//` in place of `/`")
        }
        _ => diagnostic,
    }
}

/// A written-out value that does not fit its field.
pub(crate) fn misfit(span: Span, data: &Data, misfit: &Misfit, field: &Field) -> Diagnostic {
    let path = field.path;
    match misfit {
        Misfit::Type | Misfit::NoUnit => {
            let message = format!("`{path}` is {}, but this is {data}", with_article(&field.ty));
            declared(Diagnostic::new(&WRONG_TYPE, span, message), field)
        }
        Misfit::None => {
            let message = format!("`{path}` needs a value, but this is `none`");
            declared(Diagnostic::new(&WRONG_TYPE, span, message), field)
        }
        Misfit::NotWhole(value) => {
            let value = Data::Number(value.round_dp(6).normalize());
            let message = format!("`{path}` counts, but this is {value}");
            declared(Diagnostic::new(&NOT_WHOLE, span, message), field)
                .help("`floor`, `ceil` or `round` make a whole number of it, or `//` in place of `/`")
        }
        Misfit::Refinement(refinement) => {
            near_miss(out_of_range(span, data, refinement, field), span, data, refinement, field)
        }
    }
}

/// A value that a refinement of its field does not allow.
pub(in crate::resolve) fn out_of_range(span: Span, data: &Data, refinement: &Refinement, field: &Field) -> Diagnostic {
    let message = format!("`{}` must be {refinement}, but this is {data}", field.path);
    declared(Diagnostic::new(&OUT_OF_RANGE, span, message), field)
}

/// `3` for a fraction most likely meant `3%`; else the nearest value that is allowed, if one is.
fn near_miss(diagnostic: Diagnostic, span: Span, data: &Data, refinement: &Refinement, field: &Field) -> Diagnostic {
    let (Data::Number(value) | Data::Quantity(value, _)) = data else { return diagnostic };
    let percent = value.checked_div(Decimal::ONE_HUNDRED).map(Data::Number);
    if field.ty.required() == &Type::Fraction && percent.is_some_and(|percent| refinement.holds(&percent)) {
        let text = format!("{}%", value.normalize());
        let help = format!("a fraction is a share of one: {text} is {}", Data::Number(value / Decimal::ONE_HUNDRED));
        return diagnostic.help(help).replace(span, text, Certainty::Maybe);
    }
    match refinement.nearest(*value) {
        Some(nearest) => diagnostic.help(format!("the nearest allowed value is {}", Data::Number(nearest))),
        None => diagnostic,
    }
}

/// An expression without a value; nothing where that was said already.
pub(crate) fn no_value(error: &EvalError) -> Option<Diagnostic> {
    let message = match &error.error {
        OpError::Failed | OpError::Unknown(_) => return None,
        OpError::None => "this has no value, since a part of it is `none`".to_owned(),
        OpError::ZeroDivisor => "this divides by zero".to_owned(),
        OpError::Overflow => "the result leaves the range of exact numbers, 28 digits".to_owned(),
        OpError::NoEntry(key) => format!("no entry is called \"{key}\""),
        OpError::TextTooLong => format!("the text would be longer than {MAX_TEXT} bytes"),
        OpError::Mismatch(left, right) => format!("{left} and {right} don't go together"),
    };
    Some(Diagnostic::new(&NO_VALUE, error.span, message))
}

pub(in crate::resolve) fn super_outside(span: Span) -> Diagnostic {
    Diagnostic::new(&SUPER_OUTSIDE, span, "`super` is the value below a layer, and here is no layer")
        .help("`super` stands in the value of a setting: `optimizer.lr = super / 2`")
}

pub(in crate::resolve) fn bad_operands(span: Span, symbol: &str, left: &Expr, right: &Expr) -> Diagnostic {
    let message = format!("`{symbol}` can't join {} and {}", with_article(&left.ty), with_article(&right.ty));
    Diagnostic::new(&BAD_OPERANDS, span, message)
        .label(left.span, with_article(&left.ty))
        .label(right.span, with_article(&right.ty))
}

pub(in crate::resolve) fn bad_operand(span: Span, symbol: &str, operand: &Expr) -> Diagnostic {
    let message = format!("`{symbol}` takes numbers, but this is {}", with_article(&operand.ty));
    Diagnostic::new(&BAD_OPERANDS, span, message)
}

/// Letters behind a number that can't be read.
pub(in crate::resolve) fn bad_unit(
    span: Span,
    number: &ast::Number,
    error: &UnitError,
    wanted: Option<Wanted<'_>>,
) -> Diagnostic {
    let letters = number.unit.or(number.suffix).map_or(span, |ident| ident.span);
    match error {
        UnitError::Unknown(word) => {
            let units = ["tokens", "samples", "iters", "GiB", "MiB", "KiB", "GB", "min", "h", "s", "k", "M", "B", "T"];
            let message = format!("`{word}` is neither a unit nor a multiple");
            let diagnostic = Diagnostic::new(&UNKNOWN_UNIT, letters, message);
            match (nearest(word, units), wanted.and_then(|wanted| wanted.ty.dimensions())) {
                (Some(unit), _) => diagnostic.replace(letters, unit, Certainty::Maybe),
                (None, Some(dimensions)) => diagnostic.help(families(dimensions)),
                (None, None) => diagnostic.help("multiples are k, M, B, T (decimal), Ki, Mi, Gi, Ti (binary) and %"),
            }
        }
        UnitError::Twice(first, second) => {
            let message = format!("`{first}` names a unit already, `{second}` a second one");
            Diagnostic::new(&UNKNOWN_UNIT, letters, message)
        }
        UnitError::TooLarge => {
            Diagnostic::new(&NO_VALUE, span, "this number leaves the range of exact numbers, 28 digits")
        }
    }
}

/// A unit of another family than the field's.
pub(in crate::resolve) fn wrong_unit(
    span: Span,
    number: &ast::Number,
    read: &Measure,
    wanted: Wanted<'_>,
) -> Diagnostic {
    let of = wanted.field.map_or_else(|| "this".to_owned(), |field| format!("`{}`", field.path));
    let given = match read.dimension {
        Some(dimension) => format!("{} measures {}", spelled(number), measured(dimension)),
        None => format!("{} is a fraction", spelled(number)),
    };
    let message = format!("{of} is {}, but {given}", with_article(wanted.ty.required()));
    let mut diagnostic = Diagnostic::new(&WRONG_UNIT, span, message);
    if let Some(field) = wanted.field {
        diagnostic = declared(diagnostic, field);
    }
    match wanted.ty.dimensions() {
        Some(dimensions) => {
            let digits = Data::Number(number.value).to_string();
            let (suffix, unit) = (number.suffix.map(|it| it.name.as_str()), number.unit.map(|it| it.name.as_str()));
            let diagnostic = diagnostic.help(families(dimensions));
            // Where several families are possible the first of them is a guess.
            let certainty = if dimensions.single().is_some() { Certainty::Sure } else { Certainty::Maybe };
            match suggestion(&digits, suffix, unit, dimensions) {
                Some(text) => diagnostic.replace(span, text, certainty),
                None => diagnostic,
            }
        }
        None if read.percent => {
            let value = Data::Number(read.value).to_string();
            diagnostic.help("`%` is for fields of type fraction").replace(span, value, Certainty::Sure)
        }
        None => diagnostic.help("write the number without a unit"),
    }
}

/// A decimal point where things are counted.
pub(in crate::resolve) fn not_whole(
    span: Span,
    value: Decimal,
    unit: Option<Dimension>,
    wanted: Wanted<'_>,
) -> Diagnostic {
    let of = wanted.field.map_or_else(|| "this".to_owned(), |field| format!("`{}`", field.path));
    let message = format!("{of} is {}, but this number has a decimal point", with_article(wanted.ty.required()));
    let mut diagnostic = Diagnostic::new(&NOT_WHOLE, span, message);
    if let Some(field) = wanted.field {
        diagnostic = declared(diagnostic, field);
    }
    let mut whole = Data::Number(value.round()).to_string();
    // A field of several families needs the unit that was written.
    if let Some(unit) = unit {
        whole.push_str(&format!(" {}", unit.unit()));
    }
    let certainty = if value.fract().is_zero() { Certainty::Sure } else { Certainty::Maybe };
    diagnostic.replace(span, whole, certainty)
}

/// A bare number where it could be of several families.
pub(in crate::resolve) fn no_unit(span: Span, number: &ast::Number, set: Dimensions, wanted: Wanted<'_>) -> Diagnostic {
    let of = wanted.field.map_or_else(|| "this".to_owned(), |field| format!("`{}`", field.path));
    let names: Vec<&str> = set.iter().map(measured).collect();
    let names = match names.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        few => few.concat(),
    };
    let message = format!("{of} may be {names}: say which");
    let mut diagnostic = Diagnostic::new(&NO_UNIT, span, message);
    if let Some(field) = wanted.field {
        diagnostic = declared(diagnostic, field);
    }
    for dimension in set.iter() {
        diagnostic = diagnostic.replace(span, format!("{} {}", spelled(number), dimension.unit()), Certainty::Maybe);
    }
    diagnostic
}

pub(in crate::resolve) fn group_as_value(path: &ast::Path, group: &Group) -> Diagnostic {
    let message = format!("`{path}` is a group of fields, not a value");
    Diagnostic::new(&WRONG_TYPE, path.span, message).label(group.span, "declared as a group here")
}

/// A name in an expression that stands for nothing.
/// Nothing where the name is declared, but in a way that was complained about.
pub(in crate::resolve) fn unknown_value(
    typer: &Typer<'_>,
    path: &ast::Path,
    wanted: Option<Wanted<'_>>,
) -> Option<Diagnostic> {
    (!is_unread(typer, path)).then(|| no_such_value(typer, path, wanted))
}

/// Whether a path ends at a name of which the declaration could not be read.
fn is_unread(typer: &Typer<'_>, path: &ast::Path) -> bool {
    let Some((first, rest)) = path.segments.split_first() else { return false };
    let mut around = Some(typer.group);
    while let Some(at) = around {
        let (mut group, mut name, mut rest) = (at, *first, rest.iter());
        while let Some(Member::Group(inner)) = typer.schema.member(group, name.name) {
            let Some(next) = rest.next() else { return false };
            (group, name) = (inner, *next);
        }
        if typer.schema.group(group).unread.contains(&name.name) {
            return true;
        }
        around = typer.schema.group(at).parent;
    }
    false
}

fn no_such_value(typer: &Typer<'_>, path: &ast::Path, wanted: Option<Wanted<'_>>) -> Diagnostic {
    let text = path.to_string();
    let span = path.span;
    let ty = wanted.map(|wanted| wanted.ty.required());
    if let ([_], Some(Type::Enum(reference)), Some(wanted)) = (path.segments.as_slice(), ty, wanted) {
        let variants = typer.known.enums.get(reference.id.0 as usize).map_or(&[][..], |found| &found.variants);
        let names = || variants.iter().map(|variant| variant.name);
        let of = wanted.field.map_or_else(|| reference.name.to_string(), |field| field.path.to_string());
        let mut diagnostic = Diagnostic::new(&UNKNOWN_VALUE, span, format!("`{of}` has no value `{text}`"));
        if let Some(field) = wanted.field {
            diagnostic = declared(diagnostic, field);
        }
        let spelled = variants.iter().find(|variant| variant.spelling == text).map(|variant| variant.name.as_str());
        return match spelled.or_else(|| nearest(&text, names().map(Name::as_str))) {
            Some(meant) => diagnostic.help(format!("`{meant}` is nearest; {}", one_of(names()))).replace(
                span,
                meant,
                Certainty::Sure,
            ),
            None => diagnostic.help(one_of(names())),
        };
    }
    let slip = match (text.as_str(), ty) {
        ("True" | "yes" | "on" | "Yes" | "On" | "TRUE", Some(Type::Bool)) => Some("true"),
        ("False" | "no" | "off" | "No" | "Off" | "FALSE", Some(Type::Bool)) => Some("false"),
        ("None" | "null" | "nil" | "NULL" | "Null", _) => Some("none"),
        _ => None,
    };
    if let Some(meant) = slip {
        return Diagnostic::new(&UNKNOWN_VALUE, span, format!("`{text}` is not a value of this language")).replace(
            span,
            meant,
            Certainty::Sure,
        );
    }
    if let (Some(Type::String | Type::Path), [_]) = (ty, path.segments.as_slice()) {
        let message = format!("`{text}` is no field, and text stands in quotes");
        let diagnostic = Diagnostic::new(&UNKNOWN_VALUE, span, message);
        return surround(diagnostic, span, "\"", "\"", Certainty::Maybe);
    }
    let what = if typer.schema.fields.is_empty() { "no value" } else { "no field" };
    let diagnostic = Diagnostic::new(&UNKNOWN_VALUE, span, format!("{what} is called `{text}`"));
    match field_meant(typer.schema, &text, path.last().map(|ident| ident.name)) {
        Some(meant) => diagnostic.replace(span, meant, Certainty::Maybe),
        None => diagnostic,
    }
}

/// The full path of the field that was most likely meant.
fn field_meant(schema: &Schema, text: &str, last: Option<Name>) -> Option<String> {
    let mut namesakes = schema.fields.iter().filter(|field| Some(field.name) == last);
    if let Some(first) = namesakes.next() {
        return Some(first.path.to_string());
    }
    let paths = || schema.fields.iter().map(|field| field.path.as_str());
    let found = nearest(text, paths());
    found
        .or_else(|| {
            let name = nearest(last?.as_str(), schema.fields.iter().map(|field| field.name.as_str()))?;
            schema.fields.iter().find(|field| field.name.as_str() == name).map(|field| field.path.as_str())
        })
        .map(str::to_owned)
}

pub(in crate::resolve) fn unknown_function(name: ast::Ident) -> Diagnostic {
    let names = || Function::ALL.iter().map(|row| row.1);
    let diagnostic = Diagnostic::new(&BAD_CALL, name.span, format!("there is no function `{}`", name.name));
    match nearest(name.name.as_str(), names()) {
        Some(meant) => diagnostic.replace(name.span, meant, Certainty::Sure),
        None => diagnostic.help(format!("functions are {}", names().collect::<Vec<_>>().join(", "))),
    }
}

pub(in crate::resolve) fn wrong_arguments(
    span: Span,
    function: Function,
    least: usize,
    most: usize,
    given: usize,
) -> Diagnostic {
    let wanted = if most == usize::MAX { format!("at least {least}") } else { least.to_string() };
    let plural = if wanted == "1" { "value" } else { "values" };
    let message = format!("`{}` takes {wanted} {plural}, but {given} are given", function.name());
    Diagnostic::new(&BAD_CALL, span, message)
}

/// Points at the declaration of a field.
pub(crate) fn declared(diagnostic: Diagnostic, field: &Field) -> Diagnostic {
    diagnostic.label(field.span, format!("`{}` is declared here, as `{}`", field.name, field.ty))
}

/// "values are a, b, c"
fn one_of(names: impl Iterator<Item = Name>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    format!("values are {}", names.join(", "))
}

fn families(dimensions: Dimensions) -> String {
    let each = dimensions.iter().enumerate().map(|(nth, dimension)| match (nth, dimension.is_count()) {
        (0, true) => format!("{} are written like `{}`", measured(dimension), dimension.example()),
        (0, false) => format!("{} is written like `{}`", measured(dimension), dimension.example()),
        (_, _) => format!("{} like `{}`", measured(dimension), dimension.example()),
    });
    each.collect::<Vec<_>>().join(", ")
}

fn measured(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Tokens => "tokens",
        Dimension::Samples => "samples",
        Dimension::Iterations => "iterations",
        Dimension::Bytes => "memory",
        Dimension::Duration => "time",
        Dimension::Bandwidth => "bytes per second",
        Dimension::Throughput => "tokens per second",
        Dimension::Flops => "operations per second",
    }
}

/// A type in words.
fn with_article(ty: &Type) -> String {
    match ty {
        Type::Bool => "a switch".to_owned(),
        Type::Int => "a whole number".to_owned(),
        Type::Float => "a number".to_owned(),
        Type::Fraction => "a fraction".to_owned(),
        Type::String => "text".to_owned(),
        Type::Path => "a path".to_owned(),
        Type::Quantity(dimensions) => {
            // "a count of tokens, samples or iterations": what is counted shares its article.
            let counted: Vec<&str> = dimensions.iter().filter(|dimension| dimension.is_count()).map(measured).collect();
            let counts = match counted.as_slice() {
                [] => None,
                [only] => Some(format!("a count of {only}")),
                [most @ .., last] => Some(format!("a count of {} or {last}", most.join(", "))),
            };
            let amounts = dimensions.iter().filter(|dimension| !dimension.is_count()).map(|dimension| {
                let article = match dimension {
                    Dimension::Bytes => "an amount of",
                    Dimension::Tokens | Dimension::Samples | Dimension::Iterations | Dimension::Duration => {
                        "a length of"
                    }
                    Dimension::Bandwidth | Dimension::Throughput | Dimension::Flops => "a number of",
                };
                format!("{article} {}", measured(dimension))
            });
            counts.into_iter().chain(amounts).collect::<Vec<_>>().join(" or ")
        }
        Type::Enum(reference) => format!("a value of `{}`", reference.name),
        Type::List(inner) => format!("a list of `{inner}`"),
        Type::Optional(inner) => format!("{} or `none`", with_article(inner)),
    }
}

/// A number as it was written, digit groups aside.
fn spelled(number: &ast::Number) -> String {
    let mut text = Data::Number(number.value).to_string();
    if let Some(suffix) = number.suffix {
        text.push_str(suffix.name.as_str());
    }
    if let Some(unit) = number.unit {
        text.push(' ');
        text.push_str(unit.name.as_str());
    }
    text
}

fn is_number(text: &str) -> bool {
    let text = text.trim();
    Decimal::from_str_exact(text).is_ok() || Decimal::from_scientific(text).is_ok()
}

/// Offers to put something before and behind a place.
fn surround(mut diagnostic: Diagnostic, span: Span, before: &str, after: &str, certainty: Certainty) -> Diagnostic {
    let edit = |at: u32, text: &str| Edit { span: Span { file: span.file, start: at, end: at }, text: text.to_owned() };
    let edits = vec![edit(span.start, before), edit(span.end, after)];
    diagnostic.fixes.push(Fix { title: format!("write {before}…{after} around it"), edits, certainty });
    diagnostic
}
