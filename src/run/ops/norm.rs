//! Normalization over the last axis.

use tch::{Kind, Tensor};

use crate::run::RunError;
use crate::spec::graph::{Norm, NormKind};

/// The norm of `x` `[…, n]` with `weight` `[n]` and `bias` `[n]`: the plain form, recorded by autograd where that is on.
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn norm(spec: &Norm, x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor, RunError> {
    let weight = scale(spec, weight)?;
    match spec.norm {
        NormKind::LayerNorm => Ok(x.f_layer_norm(weight.size(), Some(&weight), bias, spec.epsilon, false)?),
        NormKind::RmsNorm => {
            let mean_square = x.f_square()?.f_mean_dim(-1, true, None::<Kind>)?;
            let scaled = x.f_mul(&mean_square.f_add_scalar(spec.epsilon)?.f_rsqrt()?)?;
            Ok(scaled.f_mul(&weight)?)
        }
    }
}

/// What the normalized elements are multiplied by: the weight, or one more than it.
///
/// # Errors
/// Where libtorch refuses.
pub fn scale(spec: &Norm, weight: &Tensor) -> Result<Tensor, RunError> {
    if spec.zero_centered { Ok(weight.f_add_scalar(1.0)?) } else { Ok(weight.shallow_clone()) }
}

/// `1 / sqrt(mean(x^2) + epsilon)` of each row of `x` `[…, n]`: `[…, 1]`. Not for autograd.
///
/// # Errors
/// Where libtorch refuses.
pub fn inverse_rms(epsilon: f64, x: &Tensor) -> Result<Tensor, RunError> {
    let width = x.size().last().copied().unwrap_or(1).max(1);
    let mut norms = x.f_linalg_norm(2, -1, true, None::<Kind>)?;
    let _ = norms.f_square_()?.f_div_scalar_(width)?.f_add_scalar_(epsilon)?;
    Ok(norms.f_rsqrt()?)
}

/// Takes out of `gradient`, that of normalized rows `normed`, what would change their length alone, in place:
/// `gradient - normed * mean(gradient * normed)`. Times [`inverse_rms`] it is the gradient of the rows before
/// normalization.
///
/// `products` are `gradient * normed` where the caller has them already.
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn take_out_length(gradient: &mut Tensor, normed: &Tensor, products: Option<&Tensor>) -> Result<(), RunError> {
    let width = normed.size().last().copied().unwrap_or(1).max(1);
    let made;
    let products = match products {
        Some(products) => products,
        None => {
            made = gradient.f_mul(normed)?;
            &made
        }
    };
    let mut along = products.f_sum_dim_intlist(-1, true, None::<Kind>)?;
    let _ = along.f_div_scalar_(-width)?;
    let _ = gradient.f_addcmul_(normed, &along)?;
    Ok(())
}
