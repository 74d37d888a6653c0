//! Generating text: which positions are filled in which order, and by which tokens.
//!
//! Must not know: training, run folders, terminals. Start with [`sample`]. Invariants: only tokens that stand for text
//! come out, never the mask token nor a padding row; a text is a function of (model, plan, seed, its number), whatever
//! others are made beside it.

mod choice;

pub use choice::{Candidate, transfer_counts};

use std::ops::Range;

use tch::{Kind, Tensor};

use crate::run::RunError;
use crate::run::data::ByteTokenizer;
use crate::run::model::{Input, Model, Pass};
use crate::run::observer::Observer;
use crate::run::random::{Purpose, Stream};
use crate::run::validate;
use crate::spec::attention::AttentionMask;
use crate::spec::plan::{Objective, Remasking, Sampling};

/// Tokens that go through the network at once: texts beyond are made after one another.
const TOKENS_AT_ONCE: usize = 1 << 15;

/// Generates `sampling.count` texts after its prompt and returns their bytes, the prompt left out.
///
/// Masked diffusion fills blocks from left to right. A block of `block_length` positions takes its share of the steps;
/// each step predicts all masked positions of the block and commits the next of [`transfer_counts`], by confidence or
/// at random (LLaDA, arXiv 2502.09992, appendix B.4). The probability of a token is taken among tokens that stand for
/// text, in double precision. Autoregressive models go on one token at a time: `steps` and `block_length` have no
/// part in it.
///
/// # Errors
/// Lengths and steps do not fit each other; as [`Model::hidden`].
pub fn sample(
    model: &Model,
    objective: &Objective,
    sampling: &Sampling,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Vec<Vec<u8>>, RunError> {
    validate::sampling(sampling)?;
    let prompt = ByteTokenizer.encode(sampling.prompt.as_bytes());
    // Below 2^24 by the checks before.
    let length = sampling.length as usize;
    let columns = usize::try_from(ByteTokenizer::TOKENS.min(model.vocab())).unwrap_or_default();
    let sampler = Sampler { model, sampling, seed, columns, prompt: prompt.len(), width: prompt.len() + length };
    let at_once = (TOKENS_AT_ONCE / sampler.width.max(1)).max(1) as u64;
    let mut texts = Vec::new();
    let mut first = 0;
    while first < sampling.count {
        let numbers = first..sampling.count.min(first + at_once);
        let rows = match objective {
            Objective::MaskedDiffusion { mask_token, .. } => {
                sampler.denoise(&prompt, *mask_token, &numbers, observer)?
            }
            Objective::Autoregressive => sampler.go_on(&prompt, &numbers, observer)?,
        };
        for row in rows.chunks(sampler.width) {
            texts.push(ByteTokenizer.decode(row.get(prompt.len()..).unwrap_or_default())?);
        }
        first = numbers.end;
    }
    Ok(texts)
}

/// What does not change while texts are made.
struct Sampler<'a> {
    model: &'a Model,
    sampling: &'a Sampling,
    seed: u64,
    /// Leading logits that stand for text.
    columns: usize,
    /// Tokens of the prompt.
    prompt: usize,
    /// Tokens of a row: the prompt and what is generated.
    width: usize,
}

impl Sampler<'_> {
    /// Rows of `width` tokens by masked diffusion.
    fn denoise(
        &self,
        prompt: &[i64],
        mask: i64,
        numbers: &Range<u64>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<i64>, RunError> {
        let start: Vec<i64> = prompt.iter().copied().chain(std::iter::repeat(mask)).take(self.width).collect();
        let mut rows = start.repeat((numbers.end - numbers.start) as usize);
        // Sizes were checked: blocks fill the length, and both are small.
        let block_length = self.sampling.block_length as usize;
        let blocks = self.sampling.length / self.sampling.block_length;
        let steps = self.sampling.steps / blocks;
        // Which positions of the block are still masked is kept here: a prompt or a prediction may hold any byte.
        for block in 0..blocks {
            let place = self.prompt + block as usize * block_length;
            let mut open = vec![true; block_length * (numbers.end - numbers.start) as usize];
            for (step, commits) in (0..steps).zip(transfer_counts(block_length as u64, steps)) {
                let step = block * steps + step;
                if commits > 0 {
                    let logits = self.logits(&rows, place..place + block_length, 1, None)?;
                    let width = block_length * self.columns;
                    let parts = rows.chunks_mut(self.width).zip(open.chunks_mut(block_length));
                    for ((number, (row, open)), logits) in numbers.clone().zip(parts).zip(logits.chunks(width)) {
                        let drawn = self.candidates(logits, open, number, step, place, mask);
                        for candidate in choice::best(drawn, commits) {
                            let at = candidate.position;
                            if let (Some(slot), Some(open)) = (row.get_mut(place + at), open.get_mut(at)) {
                                (*slot, *open) = (candidate.token, false);
                            }
                        }
                    }
                }
                observer.denoised(step + 1, self.sampling.steps);
            }
        }
        Ok(rows)
    }

    /// The predicted token of every open position of a block, with what decides whether it is committed.
    fn candidates(
        &self,
        logits: &[f64],
        open: &[bool],
        number: u64,
        step: u64,
        place: usize,
        mask: i64,
    ) -> Vec<Candidate> {
        // A text's number and a step share the key; both are below 2^32 by the limits on sampling.
        let key = number << 32 | step;
        let tokens = Stream::new(self.seed, Purpose::SampleToken, key);
        let positions = Stream::new(self.seed, Purpose::SamplePosition, key);
        let open_rows = logits.chunks(self.columns).zip(open).enumerate().filter(|(_, (_, open))| **open);
        let candidate = |(position, (logits, _)): (usize, (&[f64], &bool))| {
            let at = (place + position) as u64;
            let noise = |token: usize| tokens.uniform(at * self.columns as u64 + token as u64);
            let (token, probability) = choice::token(logits, mask, self.sampling.temperature, &noise);
            let priority = match self.sampling.remasking {
                Remasking::LowConfidence => probability,
                Remasking::Random => positions.uniform(at),
            };
            Candidate { position, token, priority }
        };
        open_rows.map(candidate).collect()
    }

    /// Rows of `width` tokens, one token after another under a causal mask.
    fn go_on(&self, prompt: &[i64], numbers: &Range<u64>, observer: &mut dyn Observer) -> Result<Vec<i64>, RunError> {
        let mut texts: Vec<Vec<i64>> = numbers.clone().map(|_| prompt.to_vec()).collect();
        if prompt.is_empty() {
            return Err(RunError::plan("an autoregressive model goes on with a text: the prompt may not be empty"));
        }
        for step in 0..self.sampling.length {
            let rows = texts.concat();
            let width = self.prompt + step as usize;
            let sampler = Sampler { width, ..*self };
            let logits = sampler.logits(&rows, width - 1..width, 0, Some(AttentionMask::Causal))?;
            for ((number, text), logits) in numbers.clone().zip(&mut texts).zip(logits.chunks(self.columns)) {
                let tokens = Stream::new(self.seed, Purpose::SampleToken, number << 32 | step);
                let noise = |token: usize| tokens.uniform(token as u64);
                text.push(choice::token(logits, NO_MASK, self.sampling.temperature, &noise).0);
            }
            observer.denoised(step + 1, self.sampling.length);
        }
        Ok(texts.concat())
    }

    /// Logits of the tokens that stand for text, at some positions of every row: `[rows, positions, columns]`.
    fn logits(
        &self,
        rows: &[i64],
        positions: Range<usize>,
        first_position: i64,
        mask: Option<AttentionMask>,
    ) -> Result<Vec<f64>, RunError> {
        let _guard = tch::no_grad_guard();
        let starts = (0..rows.len()).step_by(self.width.max(1));
        let wanted: Vec<i64> = starts.flat_map(|start| positions.clone().map(move |at| (start + at) as i64)).collect();
        let input = Input { tokens: rows, length: self.width, first_position };
        let hidden = self.model.hidden_at(input, &Tensor::f_from_slice(&wanted)?, Pass { mask, dropout: None })?;
        let logits = self.model.head().logits(&hidden)?.f_narrow(1, 0, self.columns as i64)?;
        let logits = logits.f_to_kind(Kind::Double)?.f_contiguous()?;
        let mut values = vec![0.0; logits.numel()];
        logits.f_copy_data(&mut values, logits.numel())?;
        Ok(values)
    }
}

/// No token is this one.
const NO_MASK: i64 = -1;
