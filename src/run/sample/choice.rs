//! One position's token, and a step's positions.

use std::cmp::Ordering;

/// A predicted token at a position of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Place in the block, from 0.
    pub position: usize,
    /// What would stand there.
    pub token: i64,
    /// The larger, the sooner it is committed.
    pub priority: f64,
}

/// How many of `masked` positions each of `steps` steps commits: an even split, the remainder first (LLaDA,
/// `get_num_transfer_tokens`).
pub fn transfer_counts(masked: u64, steps: u64) -> impl Iterator<Item = u64> {
    let (even, rest) = (masked / steps.max(1), masked % steps.max(1));
    (0..steps).map(move |step| even + u64::from(step < rest))
}

/// The token of a position and its probability.
///
/// The token is the largest of `logit + temperature * gumbel`, where the Gumbel noise of token `k` is
/// `-ln(-ln(noise(k)))` of a uniform number: a draw from the tempered distribution, and the likeliest token at
/// temperature 0 (of equals the first). The probability is that of the untempered distribution over all logits but
/// the mask's.
pub(super) fn token(logits: &[f64], mask: i64, temperature: f64, noise: &dyn Fn(usize) -> f64) -> (i64, f64) {
    let allowed = || logits.iter().enumerate().filter(|(token, _)| *token as i64 != mask);
    let noisy = |token: usize, logit: f64| match temperature > 0.0 {
        true => logit - temperature * (-noise(token).max(SMALLEST_UNIFORM).ln()).ln(),
        false => logit,
    };
    let mut chosen: Option<(usize, f64, f64)> = None;
    for (token, &logit) in allowed() {
        let value = noisy(token, logit);
        if chosen.is_none_or(|(_, best, _)| value > best) {
            chosen = Some((token, value, logit));
        }
    }
    let Some((token, _, logit)) = chosen else { return (0, 0.0) };
    let top = allowed().map(|(_, logit)| *logit).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = allowed().map(|(_, logit)| (logit - top).exp()).sum();
    (token as i64, (logit - top).exp() / sum)
}

/// Uniform draws are multiples of 2^-32; half a step stands for 0, whose logarithm is not finite.
const SMALLEST_UNIFORM: f64 = 1.0 / 8_589_934_592.0;

/// The `count` candidates of highest priority; of equals, those further left.
pub(super) fn best(mut candidates: Vec<Candidate>, count: u64) -> Vec<Candidate> {
    candidates.sort_by(|a, b| {
        b.priority.partial_cmp(&a.priority).unwrap_or(Ordering::Equal).then(a.position.cmp(&b.position))
    });
    candidates.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    candidates
}

#[cfg(test)]
mod tests {
    use super::{Candidate, best, token, transfer_counts};

    #[test]
    fn even_split_with_the_remainder_first() {
        let counts = |masked, steps| transfer_counts(masked, steps).collect::<Vec<_>>();
        assert_eq!(counts(32, 16), [2; 16]);
        assert_eq!(counts(10, 4), [3, 3, 2, 2]);
        assert_eq!(counts(3, 5), [1, 1, 1, 0, 0]);
    }

    #[test]
    fn greedy_token_and_its_probability_leave_the_mask_out() {
        // Logits ln 1, ln 2, ln 9 (the mask), ln 5: shares of 8 are 1/8, 2/8, 5/8.
        let logits = [0.0, 2_f64.ln(), 9_f64.ln(), 5_f64.ln()];
        let (chosen, probability) = token(&logits, 2, 0.0, &|_| unreachable!());
        assert_eq!(chosen, 3);
        assert!((probability - 0.625).abs() < 1e-12);
        assert_eq!(token(&[1.0, 1.0], -1, 0.0, &|_| 0.5).0, 0);
        assert_eq!(token(&[1.0], 0, 1.0, &|_| 0.0), (0, 0.0));
    }

    /// Draws at temperature 2 follow softmax(logits / 2): weights 1, 2 and 3 from logits 2 ln 1, 2 ln 2, 2 ln 3.
    #[test]
    fn tempered_draws_follow_the_tempered_distribution() {
        use crate::run::random::{Purpose, Stream};
        let logits = [0.0, 2.0 * 2_f64.ln(), 2.0 * 3_f64.ln()];
        let mut counts = [0_u32; 3];
        for draw in 0..60_000 {
            let stream = Stream::new(5, Purpose::SampleToken, draw);
            let (chosen, _) = token(&logits, -1, 2.0, &|token| stream.uniform(token as u64));
            if let Some(count) = counts.get_mut(chosen as usize) {
                *count += 1;
            }
        }
        // Standard deviations are at most sqrt(60,000 / 4) = 122.
        for (count, expected) in counts.iter().zip([10_000_u32, 20_000, 30_000]) {
            assert!(count.abs_diff(expected) < 500, "{counts:?}");
        }
    }

    #[test]
    fn ties_go_to_the_left() {
        let at = |position, priority| Candidate { position, token: 0, priority };
        let chosen = best(vec![at(0, 0.1), at(1, 0.7), at(2, 0.7), at(3, 0.7)], 2);
        assert_eq!(chosen.iter().map(|candidate| candidate.position).collect::<Vec<_>>(), [1, 2]);
    }
}
