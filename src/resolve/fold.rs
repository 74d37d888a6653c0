//! What is known of a value from its text alone, held against type and refinements of its field where it is written.

use crate::resolve::bindings::varies;
use crate::resolve::eval::{Constants, evaluate};
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::fit::{Misfit, fit_refined};
use crate::resolve::typing::{Reads, Typer, is_failed, reads};
use crate::resolve::{Field, errors, interval};
use crate::types::{Data, OpError, Refinement, Type};

impl Typer<'_> {
    /// Works out an expression that reads no field, and holds the value against type and refinements at once, so that
    /// a wrong literal in a mixin is found there and not where the mixin is used. Of one that reads fields the branches
    /// that don't are held against them, and the range that it can have at all.
    pub(super) fn fold(&mut self, expr: Expr, field: &Field, ty: &Type) -> Expr {
        let failed = Expr::failed(expr.span, ty.clone());
        match reads(&expr) {
            Reads::Fields => {
                if !self.branches_fit(&expr, field, ty) {
                    return failed;
                }
                let schema = self.schema;
                if let Some(misfit) = interval::misfit(&expr, schema, field, ty) {
                    self.sink.push(errors::never_fits(expr.span, &misfit, field));
                    return failed;
                }
                expr
            }
            // What an input brings is held against the field when it is there.
            Reads::Bindings if varies(self.known.bindings, &expr) => expr,
            reads => match evaluate(&expr, &mut Constants(self.known.bindings)) {
                Ok(data) => match fit_refined(data.clone(), ty, refinements(field, ty)) {
                    Ok(_) if reads == Reads::Bindings => expr,
                    Ok(data) => Expr { span: expr.span, ty: ty.clone(), kind: ExprKind::Const(data) },
                    Err(misfit) => {
                        self.misfits(&expr, &data, &misfit, field, ty);
                        failed
                    }
                },
                Err(error) if matches!(error.error, OpError::Unknown(_)) => expr,
                Err(error) => {
                    self.sink.extend_with(errors::no_value(&error));
                    failed
                }
            },
        }
    }

    /// Whether the branches of an `if` that are written out fit their field.
    fn branches_fit(&mut self, expr: &Expr, field: &Field, ty: &Type) -> bool {
        let ExprKind::If(_, then, otherwise) = &expr.kind else { return true };
        [then, otherwise].into_iter().fold(true, |fits, branch| {
            let fits_here = match (&branch.kind, reads(branch)) {
                (ExprKind::If(..), _) => self.branches_fit(branch, field, ty),
                (_, Reads::Fields) => true,
                _ => !is_failed(&self.fold((**branch).clone(), field, ty)),
            };
            fits && fits_here
        })
    }

    /// Complains about a value that does not fit; of a list about each item that does not.
    fn misfits(&mut self, expr: &Expr, data: &Data, misfit: &Misfit, field: &Field, ty: &Type) {
        let mut is_told = false;
        if let (ExprKind::List(items), Type::List(inner)) = (&expr.kind, ty.required()) {
            for item in items {
                let Ok(data) = evaluate(item, &mut Constants(self.known.bindings)) else { continue };
                if let Err(misfit) = fit_refined(data.clone(), inner, refinements(field, inner)) {
                    self.misfits(item, &data, &misfit, field, inner);
                    is_told = true;
                }
            }
        }
        if !is_told {
            self.sink.push(errors::misfit(expr.span, data, misfit, field));
        }
    }
}

/// The refinement that a value of type `ty` of a field breaks.
pub(super) fn broken<'a>(field: &'a Field, ty: &Type, data: &Data) -> Option<&'a Refinement> {
    refinements(field, ty).iter().find(|refinement| !refinement.holds(data))
}

/// What refines a value of type `ty` of a field: those of a list hold for each of its items.
fn refinements<'a>(field: &'a Field, ty: &Type) -> &'a [Refinement] {
    let mut of = field.ty.required();
    loop {
        match of {
            _ if of == ty.required() => return &field.refinements,
            Type::List(inner) => of = inner.required(),
            Type::Bool
            | Type::Int
            | Type::Float
            | Type::Fraction
            | Type::String
            | Type::Path
            | Type::Quantity(_)
            | Type::Enum(_)
            | Type::Optional(_) => return &[],
        }
    }
}
