//! AdamW with decoupled weight decay, and clipping of the global gradient norm as Megatron does it.

use tch::{Kind, Tensor};

use crate::run::RunError;
use crate::run::model::{Gradients, Model, SINGLE};
use crate::spec::plan::Adam;

/// The optimizer: moments of every parameter, and the number of steps taken.
#[derive(Debug)]
pub struct AdamW {
    adam: Adam,
    steps: u64,
    moments: Vec<Moments>,
}

#[derive(Debug)]
struct Moments {
    name: String,
    first: Tensor,
    second: Tensor,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepped {
    /// Norm of all gradients together, before clipping.
    pub gradient_norm: f64,
    /// The gradients were scaled down.
    pub clipped: bool,
}

/// Names of the state of a parameter, as suffixes: first moment, second moment.
const STATE: [&str; 2] = ["exp_avg", "exp_avg_sq"];

/// Elements that are updated at a time, so that the passes over them stay in the second-level cache.
const PIECE: i64 = 1 << 15;

impl AdamW {
    /// No steps taken, all moments zero.
    ///
    /// # Errors
    /// [`RunError::Tensor`] where there is no memory for the moments.
    pub fn new(adam: &Adam, model: &Model) -> Result<AdamW, RunError> {
        let moments = model.parameters().iter().map(|parameter| {
            let first = parameter.tensor.f_detach()?.f_zeros_like()?;
            let second = first.f_zeros_like()?;
            Ok(Moments { name: parameter.name.clone(), first, second })
        });
        Ok(AdamW { adam: *adam, steps: 0, moments: moments.collect::<Result<_, RunError>>()? })
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Everything to save beside [`AdamW::steps`]: `<parameter>.exp_avg` and `<parameter>.exp_avg_sq`, views of the
    /// live state.
    pub fn state(&self) -> Vec<(String, Tensor)> {
        self.moments
            .iter()
            .flat_map(|moments| [(&moments.first, STATE[0]), (&moments.second, STATE[1])].map(|state| (moments, state)))
            .map(|(moments, (tensor, kind))| (format!("{}.{kind}", moments.name), tensor.shallow_clone()))
            .collect()
    }

    /// Puts back what [`AdamW::steps`] and [`AdamW::state`] gave. `find` returns the tensor of a name.
    ///
    /// # Errors
    /// Those of `find`; [`RunError::Shape`] for a tensor of another shape.
    pub fn restore(
        &mut self,
        steps: u64,
        find: &mut dyn FnMut(&str) -> Result<Tensor, RunError>,
    ) -> Result<(), RunError> {
        let _guard = tch::no_grad_guard();
        for (name, mut tensor) in self.state() {
            let found = find(&name)?;
            if found.size() != tensor.size() {
                return Err(RunError::Shape { tensor: name, expected: tensor.size(), found: found.size() });
            }
            tensor.f_copy_(&found)?;
        }
        self.steps = steps;
        Ok(())
    }

    /// Takes a step: clips the gradients to the plan's norm, updates moments and parameters in place.
    ///
    /// Parameters without a gradient are left alone, as are all of them where the norm is not finite: then nothing
    /// changes, the step is not counted, and the caller sees the norm.
    ///
    /// # Errors
    /// [`RunError::Tensor`] where libtorch refuses.
    pub fn step(
        &mut self,
        model: &Model,
        gradients: &Gradients,
        learning_rate: f64,
        weight_decay: f64,
    ) -> Result<Stepped, RunError> {
        let _guard = tch::no_grad_guard();
        let gradient_norm = global_norm(gradients)?;
        if !gradient_norm.is_finite() {
            return Ok(Stepped { gradient_norm, clipped: false });
        }
        let coefficient =
            self.adam.clip_grad.map(|limit| limit / (gradient_norm + 1e-6)).filter(|factor| *factor < 1.0);
        self.steps += 1;
        let step = Step::new(&self.adam, self.steps, learning_rate, coefficient)?;
        for ((parameter, moments), gradient) in model.parameters().iter().zip(&self.moments).zip(gradients.tensors()) {
            let Some(gradient) = gradient else { continue };
            let decay = if parameter.decays { 1.0 - learning_rate * weight_decay } else { 1.0 };
            step.update([&parameter.tensor.f_detach()?, gradient, &moments.first, &moments.second], decay)
                .map_err(|error| error.within(&moments.name))?;
        }
        Ok(Stepped { gradient_norm, clipped: coefficient.is_some() })
    }
}

/// The numbers of one step, and room for what it computes on the way.
struct Step {
    /// Factor on gradients, where they are clipped.
    coefficient: Option<f64>,
    beta1: f64,
    beta2: f64,
    /// Epsilon, times the root of the second moment's bias correction.
    epsilon: f64,
    /// Learning rate, times that root, over the bias correction of the first moment.
    rate: f64,
    scratch: [Tensor; 2],
}

impl Step {
    fn new(adam: &Adam, steps: u64, learning_rate: f64, coefficient: Option<f64>) -> Result<Step, RunError> {
        let correction = |beta: f64| 1.0 - beta.powf(steps as f64);
        let root = correction(adam.beta2).sqrt();
        Ok(Step {
            coefficient,
            beta1: adam.beta1,
            beta2: adam.beta2,
            epsilon: adam.epsilon * root,
            rate: learning_rate * root / correction(adam.beta1),
            scratch: [Tensor::f_empty([PIECE], SINGLE)?, Tensor::f_empty([PIECE], SINGLE)?],
        })
    }

    /// Updates parameter, first and second moment by the gradient, piece by piece.
    fn update(&self, tensors: [&Tensor; 4], decay: f64) -> Result<(), RunError> {
        let [parameter, gradient, first, second] = tensors.map(|tensor| tensor.f_view([-1]));
        let (parameter, gradient, first, second) = (parameter?, gradient?, first?, second?);
        let elements = gradient.size1()?;
        let [clipped, scratch] = &self.scratch;
        for start in (0..elements).step_by(PIECE as usize) {
            let count = PIECE.min(elements - start);
            let piece = |tensor: &Tensor| tensor.f_narrow(0, start, count);
            let (mut parameter, mut gradient) = (piece(&parameter)?, piece(&gradient)?);
            let (mut first, mut second) = (piece(&first)?, piece(&second)?);
            let mut scratch = scratch.f_narrow(0, 0, count)?;
            if let Some(coefficient) = self.coefficient {
                gradient = gradient.f_mul_scalar_out(&clipped.f_narrow(0, 0, count)?, coefficient)?;
            }
            let _ = first.f_lerp_(&gradient, 1.0 - self.beta1)?;
            let _ = gradient.f_mul_out(&scratch, &gradient)?;
            let _ = second.f_lerp_(&scratch, 1.0 - self.beta2)?;
            // rate * first / (sqrt(second) + epsilon)
            let _ = second.f_sqrt_out(&scratch)?;
            let _ = scratch.f_add_scalar_(self.epsilon)?;
            let _ = first.f_div_out(&scratch, &scratch)?;
            let _ = scratch.f_mul_scalar_(self.rate)?;
            if decay != 1.0 {
                let _ = parameter.f_mul_scalar_(decay)?;
            }
            let _ = parameter.f_sub_(&scratch)?;
        }
        Ok(())
    }
}

/// The norm of all gradients as one vector; sums of squares are added in double precision.
fn global_norm(gradients: &Gradients) -> Result<f64, RunError> {
    let norms: Vec<Tensor> =
        gradients.tensors().iter().flatten().map(|gradient| gradient.f_norm()).collect::<Result<_, tch::TchError>>()?;
    if norms.is_empty() {
        return Ok(0.0);
    }
    let norms = Tensor::f_stack(&norms, 0)?.f_to_kind(Kind::Double)?;
    Ok(norms.f_square()?.f_sum(Kind::Double)?.f_sqrt()?.f_double_value(&[])?)
}
