//! Cross entropy over the output head, at chosen positions only.

use tch::{Kind, Tensor};

use crate::run::RunError;

/// The map from hidden states to logits.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// `[v, h]`.
    pub weight: &'a Tensor,
    /// `[v]`.
    pub bias: Option<&'a Tensor>,
}

impl Head<'_> {
    /// Logits `[n, v]` of hidden states `[n, h]`.
    ///
    /// # Errors
    /// Where libtorch refuses, for shapes that do not fit.
    pub fn logits(&self, hidden: &Tensor) -> Result<Tensor, RunError> {
        Ok(hidden.f_linear(self.weight, self.bias)?)
    }
}

/// A weighted sum of cross entropies and its gradients.
#[derive(Debug)]
pub struct HeadGradient {
    /// `sum(weight * cross entropy)`, in nats.
    pub sum: f64,
    /// Gradient with respect to the hidden states, `[n, h]`.
    pub hidden: Tensor,
    /// Gradient with respect to [`Head::weight`].
    pub weight: Tensor,
    /// Gradient with respect to [`Head::bias`].
    pub bias: Option<Tensor>,
}

/// Logits alive at a time: 2^24 numbers, 64 MiB.
const CHUNK_LOGITS: i64 = 1 << 24;

/// `sum(weights * cross_entropy(head(hidden), labels))` and the gradients of `scale` times that sum.
///
/// `hidden` `[n, h]`, `labels` `[n]` of 64-bit integers, `weights` `[n]` single. The softmax runs over all rows of
/// the head, padding included, as MegaDLMs' does. Rows go through the head in chunks and their gradients are made at
/// once, in place of the logits, so that logits of all rows never exist together: three matrix products a chunk,
/// nothing saved. Records nothing for autograd.
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn weighted_cross_entropy(
    head: Head<'_>,
    hidden: &Tensor,
    labels: &Tensor,
    weights: &Tensor,
    scale: f64,
) -> Result<HeadGradient, RunError> {
    let _guard = tch::no_grad_guard();
    let (rows, _) = hidden.size2()?;
    let hidden = hidden.f_detach()?;
    let hidden_gradient = hidden.f_empty_like()?;
    let mut weight_gradient = head.weight.f_zeros_like()?;
    let mut bias_gradient = head.bias.map(Tensor::f_zeros_like).transpose()?;
    let mut sum = 0.0;
    for (start, count) in chunks(rows, head.weight.size2()?.0) {
        let hidden = hidden.f_narrow(0, start, count)?;
        let labels = labels.f_narrow(0, start, count)?.f_unsqueeze(1)?;
        let weights = weights.f_narrow(0, start, count)?.f_unsqueeze(1)?;
        let mut logits = head.logits(&hidden)?.f_log_softmax(1, None::<Kind>)?;
        sum -= logits.f_gather(1, &labels, false)?.f_mul(&weights)?.f_sum(Kind::Double)?.f_double_value(&[])?;
        // The gradient of a row's cross entropy: its probabilities, less 1 at the label.
        let _ = logits.f_exp_()?;
        let ones = weights.f_ones_like()?.f_neg()?;
        let _ = logits.f_scatter_add_(1, &labels, &ones)?;
        // Weights are applied to rows of width h, not of width v: the smaller side.
        let weights = weights.f_mul_scalar(scale)?;
        let mut target = hidden_gradient.f_narrow(0, start, count)?;
        target.f_copy_(&logits.f_matmul(head.weight)?.f_mul(&weights)?)?;
        let _ = weight_gradient.f_addmm_(&logits.f_transpose(0, 1)?, &hidden.f_mul(&weights)?)?;
        if let Some(bias) = &mut bias_gradient {
            let _ = bias.f_add_(&logits.f_transpose(0, 1)?.f_matmul(&weights)?.f_squeeze_dim(1)?)?;
        }
    }
    Ok(HeadGradient { sum, hidden: hidden_gradient, weight: weight_gradient, bias: bias_gradient })
}

/// Cross entropy of each row, `[n]`, in nats, without gradients; in the same chunks.
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn cross_entropy(head: Head<'_>, hidden: &Tensor, labels: &Tensor) -> Result<Tensor, RunError> {
    let _guard = tch::no_grad_guard();
    let (rows, _) = hidden.size2()?;
    let losses = hidden.f_new_empty([rows], (Kind::Float, hidden.device()))?;
    for (start, count) in chunks(rows, head.weight.size2()?.0) {
        let labels = labels.f_narrow(0, start, count)?.f_unsqueeze(1)?;
        let logits = head.logits(&hidden.f_narrow(0, start, count)?)?;
        let losses_here =
            logits.f_logsumexp(1, false)?.f_sub(&logits.f_gather(1, &labels, false)?.f_squeeze_dim(1)?)?;
        losses.f_narrow(0, start, count)?.f_copy_(&losses_here)?;
    }
    Ok(losses)
}

/// The plain form: the head on all rows, cross entropy everywhere times a weight that is 0 where nothing is
/// supervised. Recorded for autograd. Returns `sum(weights * cross entropy)`, a scalar.
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn reference(head: Head<'_>, hidden: &Tensor, labels: &Tensor, weights: &Tensor) -> Result<Tensor, RunError> {
    let logits = head.logits(hidden)?;
    let at_label = logits.f_gather(1, &labels.f_unsqueeze(1)?, false)?.f_squeeze_dim(1)?;
    let losses = logits.f_logsumexp(1, false)?.f_sub(&at_label)?;
    Ok(losses.f_mul(weights)?.f_sum(Kind::Float)?)
}

/// Starts and lengths of chunks of rows, so that a chunk of `width` columns stays within [`CHUNK_LOGITS`].
fn chunks(rows: i64, width: i64) -> impl Iterator<Item = (i64, i64)> {
    let step = (CHUNK_LOGITS / width.max(1)).max(64);
    (0..)
        .map(move |chunk| chunk * step)
        .take_while(move |start| *start < rows)
        .map(move |start| (start, step.min(rows - start)))
}
