//! What stands between the two linear maps of an MLP.

use tch::Tensor;

use crate::run::RunError;
use crate::spec::graph::Activation;

/// Applies the activation to `x` `[…, n]`; gated kinds halve the last axis. The plain form, recorded by autograd where
/// that is on.
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

/// What [`activate_saving`] keeps for [`back`].
#[derive(Debug)]
pub enum Saved {
    /// Its input `[n, 2f]`, and `silu(gate)` `[n, f]`.
    Swiglu(Tensor, Tensor),
    /// Its input.
    Gelu(Tensor),
    /// `max(x, 0)`.
    SquaredRelu(Tensor),
}

/// [`activate`] of `x` `[n, f]`, without autograd.
///
/// # Errors
/// Where libtorch refuses.
pub fn activate_saving(activation: Activation, x: Tensor) -> Result<(Tensor, Saved), RunError> {
    match activation {
        Activation::Swiglu => {
            let (gate, up) = halves(&x)?;
            let gate = gate.f_silu()?;
            Ok((gate.f_mul(&up)?, Saved::Swiglu(x, gate)))
        }
        Activation::Gelu => Ok((x.f_gelu("tanh")?, Saved::Gelu(x))),
        Activation::SquaredRelu => {
            let positive = x.f_relu()?;
            Ok((positive.f_square()?, Saved::SquaredRelu(positive)))
        }
    }
}

impl Saved {
    /// The result of [`activate_saving`] once more, so that it need not be kept.
    ///
    /// # Errors
    /// Where libtorch refuses.
    pub fn activated(&self) -> Result<Tensor, RunError> {
        match self {
            Saved::Swiglu(x, gate) => Ok(gate.f_mul(&halves(x)?.1)?),
            Saved::Gelu(x) => Ok(x.f_gelu("tanh")?),
            Saved::SquaredRelu(positive) => Ok(positive.f_square()?),
        }
    }
}

/// The gradient of the input `[n, f]`, given that of the result.
///
/// # Errors
/// Where libtorch refuses.
pub fn back(saved: Saved, mut gradient: Tensor) -> Result<Tensor, RunError> {
    match saved {
        Saved::Swiglu(x, activated) => {
            let (gate, up) = halves(&x)?;
            let result = x.f_empty_like()?;
            let (of_gate, of_up) = halves(&result)?;
            let _ = gradient.f_mul_out(&of_up, &activated)?;
            let _ = gradient.f_mul_(&up)?;
            let _ = gate.f_silu_backward_grad_input(&of_gate, &gradient)?;
            Ok(result)
        }
        Saved::Gelu(x) => Ok(x.f_gelu_backward(&gradient, "tanh")?),
        Saved::SquaredRelu(positive) => {
            let _ = gradient.f_mul_(&positive)?.f_mul_scalar_(2.0)?;
            Ok(gradient)
        }
    }
}

fn halves(x: &Tensor) -> Result<(Tensor, Tensor), RunError> {
    let (_, width) = x.size2()?;
    Ok((x.f_narrow(1, 0, width / 2)?, x.f_narrow(1, width / 2, width / 2)?))
}
