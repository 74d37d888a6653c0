//! Sums of gradients, and pieces of a training pass that are left to libtorch's autograd.

use tch::{Kind, Tensor};

use crate::run::RunError;
use crate::run::model::Model;
use crate::run::model::parts::Weight;

/// Gradients of a model's parameters: empty, or the sum of what was added.
#[derive(Debug, Default)]
pub struct Gradients {
    tensors: Vec<Option<Tensor>>,
}

impl Gradients {
    /// No gradient yet for any parameter of `model`.
    pub fn new(model: &Model) -> Gradients {
        Gradients { tensors: model.parameters().iter().map(|_| None).collect() }
    }

    /// One tensor for each parameter, in the same order; none where nothing was added.
    pub fn tensors(&self) -> &[Option<Tensor>] {
        &self.tensors
    }

    /// Forgets everything that was added.
    pub fn clear(&mut self) {
        self.tensors.iter_mut().for_each(|tensor| *tensor = None);
    }

    /// Adds to the gradient of a parameter. `tensor` may be kept: nobody else may write to it.
    pub(super) fn add(&mut self, weight: &Weight, tensor: Tensor) -> Result<(), RunError> {
        match self.tensors.get_mut(weight.index) {
            Some(Some(sum)) => drop(sum.f_add_(&tensor)?),
            Some(slot) => *slot = Some(tensor.f_contiguous()?),
            None => {}
        }
        Ok(())
    }

    /// Adds the product `left^T right` of `[n, o]` and `[n, i]` to the gradient of a parameter `[o, i]`.
    pub(super) fn add_product(&mut self, weight: &Weight, left: &Tensor, right: &Tensor) -> Result<(), RunError> {
        let left = left.f_transpose(0, 1)?;
        match self.tensors.get_mut(weight.index) {
            Some(Some(sum)) => drop(sum.f_addmm_(&left, right)?),
            Some(slot) => *slot = Some(left.f_mm(right)?),
            None => {}
        }
        Ok(())
    }
}

/// A piece of a forward pass that autograd recorded, cut off from everything before and behind it.
#[derive(Debug)]
pub(super) struct Recorded<const N: usize> {
    inputs: [Tensor; N],
    /// The result, without its history.
    pub(super) output: Tensor,
    traced: Tensor,
}

impl<const N: usize> Recorded<N> {
    /// Runs `piece` on copies of `inputs` that share their values. Nobody may write to the inputs until
    /// [`Recorded::back`].
    pub(super) fn run(
        inputs: [&Tensor; N],
        piece: impl FnOnce(&[Tensor; N]) -> Result<Tensor, RunError>,
    ) -> Result<Recorded<N>, RunError> {
        let mut leaves = inputs.map(Tensor::shallow_clone);
        for leaf in &mut leaves {
            *leaf = leaf.f_detach()?.f_set_requires_grad(true)?;
        }
        let traced = tch::with_grad(|| piece(&leaves))?;
        Ok(Recorded { inputs: leaves, output: traced.f_detach()?, traced })
    }

    /// The gradients of the inputs, given that of the output; those of `weights` are added to `sums`.
    pub(super) fn back(
        self,
        gradient: &Tensor,
        weights: &[&Weight],
        sums: &mut Gradients,
    ) -> Result<[Tensor; N], RunError> {
        // The bindings start every backward pass with ones; this scalar turns them into `gradient`.
        let seed = tch::with_grad(|| self.traced.f_mul(gradient)?.f_sum(Kind::Float))?;
        let leaves: Vec<&Tensor> = self.inputs.iter().chain(weights.iter().map(|weight| &weight.tensor)).collect();
        let mut found = Tensor::f_run_backward(&[seed], &leaves, false, false)?;
        let of_weights = found.split_off(N.min(found.len()));
        for (weight, gradient) in weights.iter().zip(of_weights) {
            if gradient.defined() {
                sums.add(weight, gradient)?;
            }
        }
        found.try_into().map_err(|_| RunError::plan("autograd gave fewer gradients than it was asked for"))
    }
}
