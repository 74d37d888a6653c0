//! The forward process as a random process: reproducible, independent of batches, of the right distribution; and the
//! likelihood bound built on it.

use crate::run::model::Model;
use crate::run::objective::{Batch, nelbo, nelbo_of, supervise};
use crate::run::ops::noise::{Noise, TrainingDraws, mask_rows, truncated_length};
use dlm::spec::plan::Objective;

use crate::graphs::Sizes;

const MASK: i64 = 258;

fn masked(seed: u64, samples: std::ops::Range<u64>, length: usize) -> Vec<Vec<usize>> {
    let draws: Vec<TrainingDraws> = samples.map(|sample| TrainingDraws { seed, sample }).collect();
    let noise = mask_rows(&vec![5; draws.len() * length], length, MASK, &draws);
    let replaced: Vec<usize> = (0..noise.inputs.len()).filter(|at| noise.inputs[*at] == MASK).collect();
    assert_eq!(replaced, noise.masked);
    let mut rows = vec![Vec::new(); draws.len()];
    noise.masked.iter().for_each(|at| rows[at / length].push(at % length));
    assert!(noise.counts.iter().zip(&rows).all(|(count, row)| *count == row.len()));
    rows
}

#[test]
fn noise_belongs_to_the_sample() {
    let whole = masked(7, 0..12, 33);
    let parts: Vec<_> = [0..1, 1..5, 5..12].map(|part| masked(7, part, 33)).concat();
    assert_eq!(whole, parts);
    assert_ne!(whole, masked(8, 0..12, 33));
    // A longer row begins with the same masks.
    for (short, long) in whole.iter().zip(masked(7, 0..12, 40)) {
        let starts: Vec<usize> = long.into_iter().filter(|position| *position < 33).collect();
        assert!(starts == *short || short.len() == 1, "a rescue may move");
    }
}

/// The noise of a seed is part of what a seed means: runs of older versions must resume to it.
#[test]
fn noise_of_a_seed_never_changes() {
    let rows = masked(1234, 0..4, 16);
    assert_eq!(rows, GOLDEN.map(|row: &[usize]| row.to_vec()));
}

/// Computed by `tests/reference/philox_masks.py`, which shares no code with the runtime.
const GOLDEN: [&[usize]; 4] = [
    &[9, 11, 12],
    &[0, 1, 2, 3, 6, 7, 8, 9, 10, 12, 13, 15],
    &[1, 2, 3, 5, 6, 8, 12],
    &[0, 4, 5, 6, 8, 9, 11, 12, 13, 14, 15],
];

#[test]
fn every_row_is_masked_and_the_share_follows_the_time() {
    let (rows, length) = (4000, 64);
    let drawn = masked(3, 0..rows, length);
    assert!(drawn.iter().all(|row| !row.is_empty()));
    // The share of a row is uniform in expectation: mean 1/2; its variance is 1/12 + 1/(6 * 64), so the standard error
    // over 4,000 rows is 0.0046. The rescue moves the mean by less than 1/65/64.
    let shares: Vec<f64> = drawn.iter().map(|row| row.len() as f64 / length as f64).collect();
    let mean = shares.iter().sum::<f64>() / rows as f64;
    assert!((mean - 0.5).abs() < 5.0 * 0.0046, "{mean}");
    // Each position is masked in half the rows: standard error sqrt(1/4/4000) = 0.0079.
    for position in 0..length {
        let share = drawn.iter().filter(|row| row.contains(&position)).count() as f64 / rows as f64;
        assert!((share - 0.5).abs() < 5.0 * 0.0079, "{share} at {position}");
    }
}

/// Rows of one position are masked by the rescue whenever `t` does not do it; with two, the rescued one is either.
#[test]
fn rescued_positions_are_spread_evenly() {
    assert!(masked(1, 0..50, 1).iter().all(|row| row == &[0]));
    // P(first masked, second not) = 1/6 + half of P(none) = 1/6 + 1/6: standard error over 6,000 rows 0.0061.
    let drawn = masked(1, 0..6000, 2);
    for position in 0..2 {
        let share = drawn.iter().filter(|row| *row == &[position]).count() as f64 / 6000.0;
        assert!((share - 1.0 / 3.0).abs() < 5.0 * 0.0061, "{share}");
    }
}

#[test]
fn steps_are_cut_short_as_often_as_asked() {
    assert!((0..100).all(|sample| truncated_length(1, sample, 128, 0.0) == 128));
    let lengths: Vec<u64> = (0..20_000).map(|sample| truncated_length(1, sample * 8, 9, 1.0)).collect();
    for length in 2..=9 {
        // Each of 8 lengths: expectation 2,500, standard deviation 46.8.
        let count = lengths.iter().filter(|drawn| **drawn == length).count();
        assert!(count.abs_diff(2500) < 234, "{count} of {length}");
    }
    assert!(lengths.iter().all(|length| (2..=9).contains(length)));
    // With probability 0.3, and 1 in 127 of those keeps all: expectation 5,953, standard deviation 64.7.
    let cut = (0..20_000).filter(|sample| truncated_length(1, *sample, 128, 0.3) < 128).count();
    assert!(cut.abs_diff(5953) < 324, "{cut}");
    assert_eq!(truncated_length(1, 0, 1, 1.0), 1);
}

fn batches(rows: u64, width: usize, per_batch: u64) -> Vec<Batch> {
    (0..rows / per_batch)
        .map(|number| {
            let samples: Vec<u64> = (number * per_batch..(number + 1) * per_batch).collect();
            let tokens = (0..samples.len() * width).map(|at| (at * 31 + number as usize) as i64 % 256).collect();
            Batch { tokens, width, samples, loss_mask: None }
        })
        .collect()
}

/// A predictor without knowledge has cross entropy `ln V` everywhere, and so has the bound, with certainty.
#[test]
fn uniform_predictions_cost_the_logarithm_of_the_vocabulary() {
    let uniform = 40f64.ln();
    let estimate = nelbo_of(MASK, 5, &batches(64, 66, 16), &mut |noise, _, _| Ok(vec![uniform; noise.masked.len()]));
    let estimate = estimate.unwrap();
    assert_eq!((estimate.samples, estimate.tokens), (64, 64 * 64));
    assert!((estimate.mean - uniform).abs() < 1e-12 && estimate.standard_error < 1e-12, "{estimate:?}");
}

/// A predictor whose losses depend on what is masked, on rows of three positions: the bound is a finite sum over all
/// masks. In its definition, each position masked with probability `t`, a mask of `m` out of `L` has the weight
/// `∫ (1/t) t^m (1-t)^(L-m) dt = (m-1)! (L-m)! / L!`.
#[test]
fn the_bound_is_the_sum_over_all_masks() {
    let loss = |mask: usize, position: usize| [0.5, 1.0, 4.0][position] / (1.0 + (mask as f64)) + mask as f64 / 10.0;
    let factorial = [1.0, 1.0, 2.0, 6.0];
    let positions = |mask: usize| (0..3).filter(move |position| mask >> position & 1 == 1);
    let exact: f64 = (1..8usize)
        .map(|mask| {
            let count = mask.count_ones() as usize;
            let weight = factorial[count - 1] * factorial[3 - count] / factorial[3];
            weight * positions(mask).map(|position| loss(mask, position)).sum::<f64>() / 3.0
        })
        .sum();
    let mut seen = [0u32; 8];
    let mut predictor = |noise: &Noise, _: &[i64], length: usize| {
        let mut masks = vec![0; noise.counts.len()];
        noise.masked.iter().for_each(|at| masks[at / length] |= 1 << (at % length));
        masks.iter().for_each(|mask| seen[*mask] += 1);
        Ok(noise.masked.iter().map(|at| loss(masks[at / length], at % length)).collect())
    };
    let estimate = nelbo_of(MASK, 1, &batches(60_000, 5, 100), &mut predictor).unwrap();
    assert!((estimate.mean - exact).abs() < 4.0 * estimate.standard_error, "{estimate:?} for {exact}");
    assert!(estimate.standard_error < 0.003 * exact, "{estimate:?} for {exact}");
    // Counts are equally frequent, and the three sets of one or two positions among themselves: 20,000 rows of each
    // count, 6,667 of each set, standard deviation 66.7.
    assert_eq!(seen[0], 0);
    assert!(seen[7].abs_diff(20_000) <= 1, "{seen:?}");
    assert!([1, 2, 3, 4, 5, 6].iter().all(|mask| seen[*mask].abs_diff(6667) < 334), "{seen:?}");
}

/// The same through the network: a head of zeros predicts uniformly over all rows, padding included.
#[test]
fn a_network_that_knows_nothing_is_as_bad_as_chance() {
    tch::set_num_threads(1);
    let model = Model::new(&Sizes { layers: 1, ..Sizes::usual() }.graph(), 1).unwrap();
    let head = model.parameters().iter().find(|parameter| parameter.name == "output_layer.weight").unwrap();
    model.set_parameter("output_layer.weight", &head.tensor.zeros_like()).unwrap();
    let estimate = nelbo(&model, MASK, 2, &batches(64, 17, 32)).unwrap();
    assert!((estimate.mean - 384f64.ln()).abs() < 1e-6, "{estimate:?}");
}

#[test]
fn batches_that_contradict_themselves_are_refused() {
    let objective = Objective::MaskedDiffusion { mask_token: MASK, varlen_probability: 0.0 };
    let batch = Batch { tokens: vec![1; 9], width: 5, samples: vec![0, 1], loss_mask: None };
    let error = supervise(&objective, 0, &batch, 4).unwrap_err().to_string();
    assert_eq!(error, "training plan: a batch of 2 samples has 9 tokens in rows of 5");
    let batch = Batch { tokens: vec![1; 4], width: 2, samples: vec![0, 1], loss_mask: None };
    let error = supervise(&objective, 0, &batch, 1).unwrap_err().to_string();
    assert_eq!(error, "training plan: masked diffusion needs a sequence length of at least 2");
    let error = nelbo_of(MASK, 0, &[], &mut |_, _, _| Ok(Vec::new())).unwrap_err().to_string();
    assert_eq!(error, "training plan: nothing to evaluate on");
}
