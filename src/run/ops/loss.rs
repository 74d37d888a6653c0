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
    let step = rows_at_a_time(head)?;
    in_chunks(head, hidden, labels, weights, scale, step)
}

fn in_chunks(
    head: Head<'_>,
    hidden: &Tensor,
    labels: &Tensor,
    weights: &Tensor,
    scale: f64,
    step: i64,
) -> Result<HeadGradient, RunError> {
    let _guard = tch::no_grad_guard();
    let (rows, _) = hidden.size2()?;
    let hidden = hidden.f_detach()?;
    let hidden_gradient = hidden.f_empty_like()?;
    let mut weight_gradient = head.weight.f_zeros_like()?;
    let mut bias_gradient = head.bias.map(Tensor::f_zeros_like).transpose()?;
    let mut sum = 0.0;
    for (start, count) in chunks(rows, step) {
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
    for (start, count) in chunks(rows, rows_at_a_time(head)?) {
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

/// So many rows that their logits stay within [`CHUNK_LOGITS`], but not so few that products become slow.
fn rows_at_a_time(head: Head<'_>) -> Result<i64, RunError> {
    Ok((CHUNK_LOGITS / head.weight.size2()?.0.max(1)).max(64))
}

/// Starts and lengths of chunks of `step` rows.
fn chunks(rows: i64, step: i64) -> impl Iterator<Item = (i64, i64)> {
    let starts = (0..).map(move |chunk| chunk * step).take_while(move |start| *start < rows);
    starts.map(move |start| (start, step.min(rows - start)))
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "a test may fail")]
mod tests {
    use tch::{Device, Kind, Tensor};

    use super::{Head, in_chunks, reference};

    fn close(name: &str, found: &Tensor, expected: &Tensor) {
        let error = (found - expected).abs().max().double_value(&[]) / expected.abs().max().double_value(&[]);
        assert!(error < 1e-5, "{name} differs by {error:e}");
    }

    /// The chunked form with gradients of its own against autograd through the plain form.
    #[test]
    fn chunks_of_any_size_give_the_plain_loss_and_gradients() {
        tch::set_num_threads(1);
        tch::manual_seed(5);
        let single = (Kind::Float, Device::Cpu);
        let hidden = Tensor::randn([7, 5], single).set_requires_grad(true);
        let weight = Tensor::randn([11, 5], single).set_requires_grad(true);
        let bias = Tensor::randn([11], single).set_requires_grad(true);
        let labels = Tensor::from_slice(&[0i64, 10, 3, 3, 7, 1, 0]);
        let weights = Tensor::from_slice(&[1f32, 0.5, 3.0, 0.0, 1.25, 9.0, 2.0]);
        let head = Head { weight: &weight, bias: Some(&bias) };
        let plain = reference(head, &hidden, &labels, &weights).expect("the plain form");
        let scaled = &plain * 0.25;
        let expected = Tensor::run_backward(&[scaled], &[&hidden, &weight, &bias], false, false);
        for step in [1, 3, 7, 64] {
            let found = in_chunks(head, &hidden, &labels, &weights, 0.25, step).expect("the chunked form");
            assert!((found.sum / plain.double_value(&[]) - 1.0).abs() < 1e-6, "{} at {step}", found.sum);
            let found = [found.hidden, found.weight, found.bias.expect("a bias gradient")];
            for (name, (found, expected)) in ["hidden", "weight", "bias"].iter().zip(found.iter().zip(&expected)) {
                close(name, found, expected);
            }
        }
    }

    /// A logit that towers over the others: losses stay finite, and its own is 0.
    #[test]
    fn extreme_logits_stay_finite() {
        tch::set_num_threads(1);
        let weight = Tensor::from_slice(&[1e4f32, -1e4, 0.0]).view([3, 1]);
        let hidden = Tensor::from_slice(&[1f32, 1.0]).view([2, 1]);
        let (labels, weights) = (Tensor::from_slice(&[0i64, 1]), Tensor::from_slice(&[1f32, 1.0]));
        let head = Head { weight: &weight, bias: None };
        let found = in_chunks(head, &hidden, &labels, &weights, 1.0, 64).expect("the chunked form");
        assert!((found.sum - 2e4).abs() < 1e-2, "{}", found.sum);
        assert!(found.weight.isfinite().all().int64_value(&[]) == 1);
    }
}
