//! Arguments of the target, of whatever schema: no field is named here.

use crate::base::{Decimal, SourceMap};
use crate::check::{Experiment, OriginSource};
use crate::diag::Sink;
use crate::lower::cause::cause;
use crate::lower::errors;
use crate::resolve::expr::ExprKind;
use crate::resolve::{self, FieldId};
use crate::spec::{Argument, ArgumentSet, ArgumentValue, Flag, FlagKind};
use crate::types::{Data, Type, Unknown};

/// Every field as an argument, in the order of the schema. None if a number fits no argument, which was reported.
pub fn arguments(experiment: &Experiment, sources: &SourceMap, sink: &mut Sink) -> Option<ArgumentSet> {
    let mut arguments = Vec::with_capacity(experiment.schema.fields.len());
    let mut all_fit = true;
    for (id, found) in experiment.iter() {
        let field = experiment.schema.field(id);
        // The target works these out by itself.
        if field.is_computed {
            continue;
        }
        if let Some(unknown) = found.data.unknown() {
            // What follows from a network that there is none of is told where there is none.
            if unknown != Unknown::Computed {
                sink.push(errors::unknown(found.origin.span, field.path.as_str(), unknown));
            }
            all_fit = false;
            continue;
        }
        let Some(value) = value(&found.data, &field.ty) else {
            let shown = found.data.to_string();
            sink.push(errors::too_large(found.origin.span, field.path.as_str(), &shown, "a number"));
            all_fit = false;
            continue;
        };
        arguments.push(Argument {
            field: field.path.to_string(),
            is_default: is_default(experiment, id, &value),
            flag: field.flag.as_ref().and_then(flag),
            value,
            cause: cause(experiment, id, sources),
        });
    }
    all_fit.then_some(ArgumentSet { arguments })
}

/// Whether the target comes to this value by itself when the flag is absent.
///
/// A default that is written out is the target's own. A default that follows from other fields states what the target
/// derives, if it can: from fields that have flags. What follows from a field that only dlm knows must be told.
fn is_default(experiment: &Experiment, id: FieldId, value: &ArgumentValue) -> bool {
    let field = experiment.schema.field(id);
    match experiment.value(id).origin.source {
        OriginSource::Default => true,
        OriginSource::Derived => {
            let mut known = true;
            if let Some(default) = &field.default {
                default.walk(&mut |part| match part.kind {
                    ExprKind::Field(input) => known &= experiment.schema.field(input).flag.is_some(),
                    // Entries have no flags.
                    ExprKind::Each(..) | ExprKind::Entry(..) | ExprKind::Keys(_) => known = false,
                    _ => {}
                });
            }
            known
        }
        OriginSource::Layer(_) => match &field.default {
            Some(default) => default.constant().and_then(|data| self::value(data, &field.ty)).as_ref() == Some(value),
            None => *value == ArgumentValue::None,
        },
    }
}

fn flag(flag: &resolve::Flag) -> Option<Flag> {
    let kind = match flag.kind {
        resolve::FlagKind::Value => FlagKind::Value,
        resolve::FlagKind::Many => FlagKind::Many,
        resolve::FlagKind::StoreTrue => FlagKind::StoreTrue,
        resolve::FlagKind::StoreFalse => FlagKind::StoreFalse,
    };
    Some(Flag { name: flag.spellings.first()?.clone(), kind })
}

/// A value in the target's words; none for a number beyond machine numbers.
fn value(data: &Data, ty: &Type) -> Option<ArgumentValue> {
    Some(match data {
        // Failed values are no more than holes: whoever lowers an experiment with errors has been told of them.
        Data::None | Data::Failed | Data::Unknown(_) => ArgumentValue::None,
        Data::Bool(value) => ArgumentValue::Bool(*value),
        Data::Number(value) | Data::Quantity(value, _) => number(*value, ty)?,
        Data::Text(text) => ArgumentValue::Text(text.to_string()),
        Data::Enum(_, spelling) => ArgumentValue::Text(spelling.to_string()),
        Data::List(items) => {
            let inner = match ty.required() {
                Type::List(inner) => inner,
                other => other,
            };
            ArgumentValue::List(items.iter().map(|item| value(item, inner)).collect::<Option<_>>()?)
        }
    })
}

fn number(value: Decimal, ty: &Type) -> Option<ArgumentValue> {
    let real = matches!(ty.required(), Type::Float | Type::Fraction);
    if !real && value.fract().is_zero() {
        return i64::try_from(value).ok().map(ArgumentValue::Int);
    }
    // By its decimal digits, as the target reads them.
    value.to_string().parse().ok().map(ArgumentValue::Float)
}
