//! Normalization over the last axis.

use tch::{Kind, Tensor};

use crate::run::RunError;
use crate::spec::graph::{Norm, NormKind};

/// The norm of `x` `[…, n]` with `weight` `[n]` and `bias` `[n]`.
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn norm(spec: &Norm, x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor, RunError> {
    let shifted;
    let weight = if spec.zero_centered {
        shifted = weight.f_add_scalar(1.0)?;
        &shifted
    } else {
        weight
    };
    match spec.norm {
        NormKind::LayerNorm => Ok(x.f_layer_norm(weight.size(), Some(weight), bias, spec.epsilon, false)?),
        NormKind::RmsNorm => {
            let mean_square = x.f_square()?.f_mean_dim(-1, true, None::<Kind>)?;
            let scaled = x.f_mul(&mean_square.f_add_scalar(spec.epsilon)?.f_rsqrt()?)?;
            Ok(scaled.f_mul(weight)?)
        }
    }
}
