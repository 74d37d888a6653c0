//! Dropout whose dropped elements belong to the sample: neither batch split nor interruption changes them.

use tch::Tensor;

use crate::run::RunError;
use crate::run::random::Stream;

/// Keys the dropped elements of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Dropout<'a> {
    /// Seed of the run.
    pub seed: u64,
    /// Global index of the sample in each row.
    pub samples: &'a [u64],
}

impl Dropout<'_> {
    /// Factors for a tensor of `shape`, whose first axis is the batch: 0 with `probability`, else `1 / (1 -
    /// probability)`. `site` tells the tensors of a network apart.
    ///
    /// # Errors
    /// [`RunError::Shape`] if the first axis is not as long as there are samples.
    pub fn factors(&self, site: u32, probability: f64, shape: &[i64]) -> Result<Tensor, RunError> {
        let rows = self.samples.len();
        let elements = shape.iter().product::<i64>() as usize;
        if shape.first().copied() != Some(rows as i64) {
            let expected = [&[rows as i64], shape.get(1..).unwrap_or_default()].concat();
            return Err(RunError::Shape { tensor: "dropout".into(), expected, found: shape.to_vec() });
        }
        let kept = (1.0 / (1.0 - probability)) as f32;
        let mut factors = vec![0f32; elements];
        for (row, sample) in factors.chunks_exact_mut((elements / rows.max(1)).max(1)).zip(self.samples) {
            Stream::of_site(self.seed, site, *sample).fill_words(row, |word, factor| {
                *factor = if f64::from(word) < probability * 4_294_967_296.0 { 0.0 } else { kept };
            });
        }
        Ok(Tensor::f_from_slice(&factors)?.f_view(shape)?)
    }
}
