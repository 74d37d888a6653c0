//! The forward process of masked diffusion, made on the host: which positions of which row are masked.
//!
//! Every draw is addressed by (seed, sample index, position), so a row is masked in the same way in every batch split
//! and after every resume. The counts are known before the network starts.

use crate::run::random::{Purpose, Stream};

/// Rows of tokens, some of them masked.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    /// What the network sees, `[rows * length]`: the tokens, with the mask token at masked positions.
    pub inputs: Vec<i64>,
    /// Masked positions as indices into `inputs`, ascending.
    pub masked: Vec<usize>,
    /// Masked positions of each row.
    pub counts: Vec<usize>,
}

/// The uniform numbers behind the noise of one row.
///
/// A trait because recorded draws take the place of generated ones in tests.
pub trait Draws {
    /// The masking time, in `[0, 1)`.
    fn time(&self) -> f64;
    /// The number that is compared with the time at each position, in `[0, 1)`.
    fn uniforms(&self, out: &mut [f64]);
    /// The position that is masked where no other is; below `length`.
    fn rescue(&self, length: usize) -> usize;
}

/// The draws of a training row.
#[derive(Clone, Copy, Debug)]
pub struct TrainingDraws {
    /// Seed of the run.
    pub seed: u64,
    /// Global index of the sample.
    pub sample: u64,
}

impl Draws for TrainingDraws {
    fn time(&self) -> f64 {
        Stream::new(self.seed, Purpose::Time, self.sample).uniform(0)
    }

    fn uniforms(&self, out: &mut [f64]) {
        Stream::new(self.seed, Purpose::Mask, self.sample).fill_uniform(out);
    }

    fn rescue(&self, length: usize) -> usize {
        Stream::new(self.seed, Purpose::Rescue, self.sample).below(0, length as u64) as usize
    }
}

/// Masks `tokens`, rows of `length`, one for each element of `draws`, as MegaDLMs' `difflm_forward_process` does:
/// a position is masked where its uniform number is below the row's time; a row without a masked position gets one.
/// A token that equals `mask_token` by itself counts as masked only if drawn.
pub fn mask_rows<D: Draws>(tokens: &[i64], length: usize, mask_token: i64, draws: &[D]) -> Noise {
    let mut noise = Noise { inputs: tokens.to_vec(), masked: Vec::new(), counts: Vec::with_capacity(draws.len()) };
    let mut uniforms = vec![0.0; length];
    if length == 0 {
        noise.counts.resize(draws.len(), 0);
        return noise;
    }
    for (row, (inputs, draws)) in noise.inputs.chunks_exact_mut(length).zip(draws).enumerate() {
        let before = noise.masked.len();
        let time = draws.time();
        draws.uniforms(&mut uniforms);
        for (position, (input, uniform)) in inputs.iter_mut().zip(&uniforms).enumerate() {
            if *uniform < time {
                *input = mask_token;
                noise.masked.push(row * length + position);
            }
        }
        if noise.masked.len() == before {
            let position = draws.rescue(length);
            if let Some(input) = inputs.get_mut(position) {
                *input = mask_token;
                noise.masked.push(row * length + position);
            }
        }
        noise.counts.push(noise.masked.len() - before);
    }
    noise
}

/// Masks exactly `counts` positions of each row, chosen evenly among all sets of that size: the noise of likelihood
/// estimates. `samples` holds the index that the choice of each row is keyed by.
pub fn mask_counts(
    tokens: &[i64],
    length: usize,
    mask_token: i64,
    seed: u64,
    samples: &[u64],
    counts: &[usize],
) -> Noise {
    let mut noise = Noise { inputs: tokens.to_vec(), masked: Vec::new(), counts: Vec::with_capacity(counts.len()) };
    let rows = noise.inputs.chunks_exact_mut(length.max(1));
    for (row, ((inputs, count), sample)) in rows.zip(counts).zip(samples).enumerate() {
        let stream = Stream::new(seed, Purpose::EvaluationMask, *sample);
        // The positions with the smallest numbers; equal ones are told apart by position.
        let mut chosen: Vec<(u32, usize)> =
            (0..inputs.len()).map(|position| (stream.bits(position as u64), position)).collect();
        chosen.sort_unstable();
        chosen.truncate(*count);
        let mut positions: Vec<usize> = chosen.into_iter().map(|(_, position)| position).collect();
        positions.sort_unstable();
        for position in &positions {
            if let Some(input) = inputs.get_mut(*position) {
                *input = mask_token;
            }
        }
        noise.counts.push(positions.len());
        noise.masked.extend(positions.into_iter().map(|position| row * length + position));
    }
    noise
}

/// The number of leading tokens that a training step keeps: `sequence_length`, or with `probability` a uniform number
/// of `2..=sequence_length`.
///
/// MegaDLMs draws once per micro-batch from a Mersenne Twister seeded with the iteration and the accumulation index.
/// Here the draw belongs to the optimizer step, keyed by the index of its first sample, so that it does not depend on
/// how the step is cut into micro-batches; the distribution is the same.
pub fn truncated_length(seed: u64, first_sample: u64, sequence_length: u64, probability: f64) -> u64 {
    let stream = Stream::new(seed, Purpose::Length, first_sample);
    if sequence_length < 2 || stream.uniform(0) >= probability {
        return sequence_length;
    }
    2 + stream.below(1, sequence_length - 1)
}
