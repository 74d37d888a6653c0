//! What stands between the two linear maps of an MLP.

use tch::Tensor;

use crate::run::RunError;
use crate::spec::graph::Activation;

/// Applies the activation to `x` `[…, n]`; gated kinds halve the last axis.
///
/// # Errors
/// Where libtorch refuses.
pub fn activate(activation: Activation, x: &Tensor) -> Result<Tensor, RunError> {
    match activation {
        Activation::Swiglu => {
            let halves = x.f_chunk(2, -1)?;
            let [gate, up] = halves.as_slice() else {
                return Err(RunError::plan("a gated activation needs an even width"));
            };
            Ok(gate.f_silu()?.f_mul(up)?)
        }
        Activation::Gelu => Ok(x.f_gelu("tanh")?),
        Activation::SquaredRelu => Ok(x.f_relu()?.f_square()?),
    }
}
