//! What a training step minimizes, and how a model is judged on held-out text.

use tch::Tensor;

use crate::run::RunError;
use crate::run::model::{Gradients, Input, Model, Pass};
use crate::run::ops::dropout::Dropout;
use crate::run::ops::loss;
use crate::run::ops::noise::{self, Draws, Noise, TrainingDraws};
use crate::run::random::{Purpose, Stream};
use crate::spec::attention::AttentionMask;
use crate::spec::plan::Objective;

/// Samples as the loader hands them out: rows of `width` tokens, one more than the sequence length.
#[derive(Clone, Debug)]
pub struct Batch {
    /// `[rows * width]`.
    pub tokens: Vec<i64>,
    /// Sequence length and one: `S + 1`, at least 2.
    pub width: usize,
    /// Global index of each row's sample, counted from the start of training over all epochs: it keys the noise.
    pub samples: Vec<u64>,
    /// Which labels count, `[rows * S]`: entry `i` of a row belongs to its token `i + 1`. None for all.
    pub loss_mask: Option<Vec<f32>>,
}

/// What the network sees of a batch, and which positions are supervised.
#[derive(Clone, Debug)]
pub struct Supervised {
    /// `[rows * length]`.
    pub inputs: Vec<i64>,
    /// Positions of a row.
    pub length: usize,
    /// Position id of the first position.
    pub first_position: i64,
    /// Supervised positions as indices into `inputs`, ascending. Positions of weight 0 are left out.
    pub targets: Vec<i64>,
    /// The token to be predicted at each target.
    pub labels: Vec<i64>,
    /// What the cross entropy of each target is multiplied by.
    pub weights: Vec<f32>,
    /// The sum of weighted cross entropies is divided by this: the sum of the loss mask, cut to an integer.
    pub tokens: f64,
    /// The mask that takes the place of every layer's own, if one does.
    pub mask: Option<AttentionMask>,
    /// Global index of each row's sample.
    pub samples: Vec<u64>,
}

/// The loss of a batch, as MegaDLMs reports it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Sum of weighted cross entropies in nats.
    pub sum: f64,
    /// What the sum is divided by.
    pub tokens: f64,
}

impl Loss {
    /// Nats per token; not a number where no token counts.
    pub fn mean(&self) -> f64 {
        self.sum / self.tokens
    }
}

/// Applies the objective to a batch: noise, labels, weights.
///
/// Masked diffusion keeps the first `kept` tokens of each row (the sequence length, or what
/// [`noise::truncated_length`] says for the step), drops the first of them and predicts tokens in place:
/// inputs and labels are tokens `1..kept` of the row, position ids start at 1. Each masked position weighs `1 / p`,
/// where `p` is the masked share of its row. Autoregressive training predicts token `i + 1` at position `i` under a
/// causal mask, from position 0, and ignores `kept`.
///
/// # Errors
/// [`RunError::Plan`] if the batch's lengths contradict each other or nothing is left to predict.
pub fn supervise(objective: &Objective, seed: u64, batch: &Batch, kept: usize) -> Result<Supervised, RunError> {
    match objective {
        Objective::MaskedDiffusion { mask_token, .. } => {
            let draws = |sample: &u64| TrainingDraws { seed, sample: *sample };
            let draws: Vec<TrainingDraws> = batch.samples.iter().map(draws).collect();
            supervise_masked(*mask_token, batch, kept, &draws)
        }
        Objective::Autoregressive => {
            let rows = rows_of(batch)?;
            let length = batch.width - 1;
            let mut supervised = Supervised {
                inputs: Vec::with_capacity(rows * length),
                length,
                first_position: 0,
                targets: Vec::new(),
                labels: Vec::new(),
                weights: Vec::new(),
                tokens: 0.0,
                mask: Some(AttentionMask::Causal),
                samples: batch.samples.clone(),
            };
            for (row, text) in batch.tokens.chunks_exact(batch.width).enumerate() {
                supervised.inputs.extend(text.iter().take(length));
                for (position, label) in text.iter().skip(1).enumerate() {
                    let weight = loss_weight(batch, row, position);
                    supervised.push(row * length + position, *label, 1.0, weight);
                }
            }
            supervised.tokens = supervised.tokens.trunc();
            Ok(supervised)
        }
    }
}

/// Masked diffusion of a batch whose noise comes from `draws`, one for each row; [`supervise`] says what it does.
///
/// # Errors
/// As [`supervise`].
pub fn supervise_masked<D: Draws>(
    mask_token: i64,
    batch: &Batch,
    kept: usize,
    draws: &[D],
) -> Result<Supervised, RunError> {
    rows_of(batch)?;
    let (text, length) = unshifted(batch, kept)?;
    let noise = noise::mask_rows(&text, length, mask_token, draws);
    let mut supervised = Supervised {
        inputs: noise.inputs,
        length,
        first_position: 1,
        targets: Vec::with_capacity(noise.masked.len()),
        labels: Vec::with_capacity(noise.masked.len()),
        weights: Vec::with_capacity(noise.masked.len()),
        tokens: 0.0,
        mask: None,
        samples: batch.samples.clone(),
    };
    let mut masked = noise.masked.into_iter().peekable();
    for (row, (labels, count)) in text.chunks_exact(length.max(1)).zip(noise.counts).enumerate() {
        // `p` in single precision, as upstream computes it.
        let share = count as f32 / length as f32;
        for (position, label) in labels.iter().enumerate() {
            // Upstream cuts the loss mask to its first `length` entries: entry `i` belongs to the label beside it,
            // which is the token at input position `i`.
            let weight = loss_weight(batch, row, position);
            let at = row * length + position;
            if masked.next_if_eq(&at).is_some() {
                supervised.push(at, *label, 1.0 / share, weight);
            } else {
                supervised.tokens += f64::from(weight);
            }
        }
    }
    supervised.tokens = supervised.tokens.trunc();
    Ok(supervised)
}

impl Supervised {
    fn push(&mut self, at: usize, label: i64, factor: f32, loss_mask: f32) {
        self.tokens += f64::from(loss_mask);
        if loss_mask != 0.0 {
            self.targets.push(at as i64);
            self.labels.push(label);
            self.weights.push(factor * loss_mask);
        }
    }
}

/// Runs the network forward and back on a batch and adds the gradients of `loss / micro_batches`.
///
/// `dropout` is the seed of the run where dropout acts; none switches it off. The output head runs at supervised positions only.
///
/// # Errors
/// As [`Model::hidden`].
pub fn accumulate(
    model: &Model,
    batch: &Supervised,
    micro_batches: u64,
    dropout: Option<u64>,
    gradients: &mut Gradients,
) -> Result<Loss, RunError> {
    let dropout = dropout.map(|seed| Dropout { seed, samples: &batch.samples });
    let pass = Pass { mask: batch.mask, dropout };
    let targets = Tensor::f_from_slice(&batch.targets)?;
    let labels = Tensor::f_from_slice(&batch.labels)?;
    let weights = Tensor::f_from_slice(&batch.weights)?;
    let (hidden, tape) = model.train(batch.input(), &targets, pass)?;
    let scale = 1.0 / batch.tokens / micro_batches as f64;
    let head = loss::weighted_cross_entropy(model.head(), &hidden, &labels, &weights, scale)?;
    let loss = Loss { sum: head.sum, tokens: batch.tokens };
    model.backward(tape, head, gradients)?;
    Ok(loss)
}

/// The plain form of [`accumulate`]: the network and the head at every position, cross entropy everywhere times a
/// weight that is 0 where nothing is supervised, all recorded for autograd. Returns the loss, a scalar.
///
/// # Errors
/// As [`Model::hidden`].
pub fn reference(
    model: &Model,
    batch: &Supervised,
    micro_batches: u64,
    dropout: Option<u64>,
) -> Result<Tensor, RunError> {
    let (mut labels, mut weights) = (vec![0i64; batch.inputs.len()], vec![0f32; batch.inputs.len()]);
    for ((at, label), weight) in batch.targets.iter().zip(&batch.labels).zip(&batch.weights) {
        let at = *at as usize;
        if let (Some(label_here), Some(weight_here)) = (labels.get_mut(at), weights.get_mut(at)) {
            (*label_here, *weight_here) = (*label, *weight);
        }
    }
    let dropout = dropout.map(|seed| Dropout { seed, samples: &batch.samples });
    let hidden = model.hidden(batch.input(), Pass { mask: batch.mask, dropout })?;
    let width = hidden.size3()?.2;
    let (labels, weights) = (Tensor::f_from_slice(&labels)?, Tensor::f_from_slice(&weights)?);
    let sum = loss::reference(model.head(), &hidden.f_reshape([-1, width])?, &labels, &weights)?;
    Ok(sum.f_div_scalar(batch.tokens * micro_batches as f64)?)
}

impl Supervised {
    /// The rows as the network takes them.
    pub fn input(&self) -> Input<'_> {
        Input { tokens: &self.inputs, length: self.length, first_position: self.first_position }
    }
}

/// A likelihood bound with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nelbo {
    /// Estimate in nats per token: an upper bound on the negative log likelihood.
    pub mean: f64,
    /// Standard error of the mean over samples; 0 for a single one. Counts are stratified over samples, which this
    /// does not take into account: it is a little too large.
    pub standard_error: f64,
    /// Rows that took part.
    pub samples: u64,
    /// Positions that took part.
    pub tokens: u64,
}

impl Nelbo {
    /// The name of the estimator, for logs and tables.
    pub const ESTIMATOR: &'static str = "absorbing-state NELBO, masked count uniform over 1..=L, stratified";
}

/// The negative evidence lower bound of absorbing-state diffusion in continuous time with a linear schedule, in nats
/// per token: `E over t in (0, 1] of (1 / t) * sum of cross entropies at masked positions / L`, each position masked
/// with probability `t` (MDLM, arXiv 2406.07524, section 3.4).
///
/// Integrating over `t` for a fixed number `m` of masked positions gives each count the weight `1 / m`, so the bound
/// equals the mean cross entropy over `m` masked positions, `m` uniform over `1..=L` (LLaDA, arXiv 2502.09992, eq. 6).
/// That form is used: the other has an infinite variance at small times. The count of row `k` of `n` is
/// `1 + floor(L * frac(u + k / n))`: spread evenly over rows, uniform for each one over seeds. Rows are un-shifted as
/// in training. `samples` of the batches key the noise.
///
/// # Errors
/// [`RunError::Plan`] for batches without rows; as [`Model::hidden`].
pub fn nelbo(model: &Model, mask_token: i64, seed: u64, batches: &[Batch]) -> Result<Nelbo, RunError> {
    let _guard = tch::no_grad_guard();
    nelbo_of(mask_token, seed, batches, &mut |noise, labels, length| {
        let input = Input { tokens: &noise.inputs, length, first_position: 1 };
        let targets: Vec<i64> = noise.masked.iter().map(|at| *at as i64).collect();
        let hidden = model.hidden_at(input, &Tensor::f_from_slice(&targets)?, Pass::default())?;
        let losses = loss::cross_entropy(model.head(), &hidden, &Tensor::f_from_slice(labels)?)?;
        let mut values = vec![0f32; targets.len()];
        losses.f_copy_data(&mut values, targets.len())?;
        Ok(values.into_iter().map(f64::from).collect())
    })
}

/// Gives the cross entropies in nats at the masked positions of the noise, for these labels and this row length.
pub type Predictor<'a> = dyn FnMut(&Noise, &[i64], usize) -> Result<Vec<f64>, RunError> + 'a;

/// [`nelbo`] of any predictor.
///
/// # Errors
/// [`RunError::Plan`] for batches without rows; those of the predictor.
pub fn nelbo_of(
    mask_token: i64,
    seed: u64,
    batches: &[Batch],
    predictor: &mut Predictor<'_>,
) -> Result<Nelbo, RunError> {
    let total: usize = batches.iter().map(|batch| batch.samples.len()).sum();
    let offset = Stream::new(seed, Purpose::EvaluationCount, 0).uniform(0);
    let (mut estimates, mut tokens) = (Vec::with_capacity(total), 0);
    for batch in batches {
        rows_of(batch)?;
        let (text, length) = unshifted(batch, batch.width - 1)?;
        let rows = estimates.len()..estimates.len() + batch.samples.len();
        let spread = rows.map(|row| (offset + row as f64 / total as f64).fract());
        let counts: Vec<usize> = spread.map(|place| (1 + (place * length as f64) as usize).min(length)).collect();
        let noise = noise::mask_counts(&text, length, mask_token, seed, &batch.samples, &counts);
        let labels: Vec<i64> = noise.masked.iter().filter_map(|at| text.get(*at).copied()).collect();
        let mut losses = predictor(&noise, &labels, length)?.into_iter();
        for count in counts {
            estimates.push(losses.by_ref().take(count).sum::<f64>() / count as f64);
            tokens += length as u64;
        }
    }
    if estimates.is_empty() {
        return Err(RunError::plan("nothing to evaluate on"));
    }
    let samples = estimates.len() as f64;
    let mean = estimates.iter().sum::<f64>() / samples;
    let squares: f64 = estimates.iter().map(|estimate| (estimate - mean).powi(2)).sum();
    let standard_error = if estimates.len() > 1 { (squares / (samples - 1.0) / samples).sqrt() } else { 0.0 };
    Ok(Nelbo { mean, standard_error, samples: estimates.len() as u64, tokens })
}

/// Checks the lengths of a batch and gives its number of rows.
fn rows_of(batch: &Batch) -> Result<usize, RunError> {
    let rows = batch.samples.len();
    if batch.width < 2 || rows * batch.width != batch.tokens.len() {
        let (tokens, width) = (batch.tokens.len(), batch.width);
        return Err(RunError::plan(format!("a batch of {rows} samples has {tokens} tokens in rows of {width}")));
    }
    if let Some(mask) = &batch.loss_mask
        && mask.len() != rows * (batch.width - 1)
    {
        return Err(RunError::plan(format!("a loss mask of {} entries for {rows} rows", mask.len())));
    }
    Ok(rows)
}

/// Tokens `1..kept` of each row, and their number.
fn unshifted(batch: &Batch, kept: usize) -> Result<(Vec<i64>, usize), RunError> {
    let kept = kept.min(batch.width - 1);
    if kept < 2 {
        return Err(RunError::plan("masked diffusion needs a sequence length of at least 2"));
    }
    let rows = batch.tokens.chunks_exact(batch.width);
    Ok((rows.flat_map(|row| row.iter().take(kept).skip(1)).copied().collect(), kept - 1))
}

fn loss_weight(batch: &Batch, row: usize, position: usize) -> f32 {
    let mask = batch.loss_mask.as_ref();
    mask.map_or(1.0, |mask| mask.get(row * (batch.width - 1) + position).copied().unwrap_or_default())
}
