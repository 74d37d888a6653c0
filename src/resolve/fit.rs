//! Whether a value fits a type and the refinements of a field.

use rust_decimal::Decimal;

use crate::types::{Data, Refinement, Type};

/// Why a value does not fit.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// It is of another type.
    Type,
    /// It is `none`, and the field needs a value.
    None,
    /// It has decimals, and the field counts.
    NotWhole(Decimal),
    /// It could be of several families: `tokens | samples | iters`.
    NoUnit,
    /// It breaks a refinement.
    Refinement(Refinement),
}

/// `data` as a value of type `ty`: a bare number takes the unit of a quantity, whole numbers are checked.
///
/// # Errors
/// The first reason why it is none.
pub fn fit(data: Data, ty: &Type) -> Result<Data, Misfit> {
    match (ty, data) {
        (_, Data::Failed) => Ok(Data::Failed),
        (_, data @ Data::Unknown(_)) => Ok(data),
        (Type::Optional(_), Data::None) => Ok(Data::None),
        (_, Data::None) => Err(Misfit::None),
        (Type::Optional(inner), data) => fit(data, inner),
        (Type::Bool, data @ Data::Bool(_)) => Ok(data),
        (Type::Int, Data::Number(value)) => whole(value).map(Data::Number),
        (Type::Float | Type::Fraction, data @ Data::Number(_)) => Ok(data),
        (Type::String | Type::Path, data @ Data::Text(_)) => Ok(data),
        (Type::Enum(_), data @ Data::Enum(..)) => Ok(data),
        (Type::Quantity(dimensions), Data::Number(value)) => match dimensions.single() {
            Some(dimension) if dimension.is_count() => Ok(Data::Quantity(whole(value)?, dimension)),
            Some(dimension) => Ok(Data::Quantity(value, dimension)),
            None => Err(Misfit::NoUnit),
        },
        (Type::Quantity(dimensions), Data::Quantity(value, dimension)) if dimensions.contains(dimension) => {
            let value = if dimension.is_count() { whole(value)? } else { value };
            Ok(Data::Quantity(value, dimension))
        }
        (Type::List(inner), Data::List(items)) => {
            let items: Result<Vec<Data>, Misfit> = items.iter().map(|item| fit(item.clone(), inner)).collect();
            Ok(Data::List(items?.into()))
        }
        (
            Type::Bool
            | Type::Int
            | Type::Float
            | Type::Fraction
            | Type::String
            | Type::Path
            | Type::Quantity(_)
            | Type::Enum(_)
            | Type::List(_),
            _,
        ) => Err(Misfit::Type),
    }
}

/// `data` as a value of type `ty` that keeps to every refinement.
///
/// # Errors
/// The first reason why it does not fit.
pub fn fit_refined(data: Data, ty: &Type, refinements: &[Refinement]) -> Result<Data, Misfit> {
    let data = fit(data, ty)?;
    match refinements.iter().find(|refinement| !refinement.holds(&data)) {
        Some(refinement) => Err(Misfit::Refinement(refinement.clone())),
        None => Ok(data),
    }
}

fn whole(value: Decimal) -> Result<Decimal, Misfit> {
    // Without its trailing zeros, so that 2048.0 and 2048 are one value.
    if value.fract().is_zero() { Ok(value.normalize()) } else { Err(Misfit::NotWhole(value)) }
}
