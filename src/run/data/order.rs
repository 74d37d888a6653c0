//! The order in which an epoch visits its windows: a keyed permutation, computed one element at a time.
//!
//! A Feistel network over the next even number of bits, walked until it lands inside (Black and Rogaway 2002, "Ciphers
//! with arbitrary finite domains"). Nothing is stored, so any sample of any epoch can be asked for.

use crate::run::random::{Purpose, Stream};

const ROUNDS: u64 = 8;
/// Streams of an epoch: one a round, one for the shift of its windows.
const STREAMS: u64 = ROUNDS + 1;

/// The order of one epoch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    seed: u64,
    epoch: u64,
    windows: u64,
    half_bits: u32,
}

impl Order {
    /// The order of `windows` windows, at least 1 and below 2^62, in an epoch.
    pub(super) fn new(seed: u64, epoch: u64, windows: u64) -> Order {
        let bits = u64::BITS - windows.saturating_sub(1).leading_zeros();
        Order { seed, epoch, windows, half_bits: bits.div_ceil(2).max(1) }
    }

    /// The window at `index`, both below the number of windows.
    pub(super) fn window(&self, index: u64) -> u64 {
        let mut at = index;
        loop {
            at = self.permute(at);
            // The walk is a cycle of the wider permutation that starts inside, so it comes back inside.
            if at < self.windows || self.windows <= 1 {
                return at.min(self.windows.saturating_sub(1));
            }
        }
    }

    /// A number below `bound` for the epoch: by how much its windows are shifted.
    pub(super) fn shift(&self, bound: u64) -> u64 {
        self.stream(ROUNDS).below(0, bound)
    }

    fn permute(&self, value: u64) -> u64 {
        let mask = (1_u64 << self.half_bits) - 1;
        let (mut left, mut right) = (value >> self.half_bits & mask, value & mask);
        for round in 0..ROUNDS {
            let mixed = u64::from(self.stream(round).bits(right)) & mask;
            (left, right) = (right, left ^ mixed);
        }
        left << self.half_bits | right
    }

    fn stream(&self, number: u64) -> Stream {
        Stream::new(self.seed, Purpose::Order, self.epoch.wrapping_mul(STREAMS).wrapping_add(number))
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn every_window_once_in_every_epoch() {
        for windows in (1..70).chain([255, 256, 257, 6_600]) {
            for epoch in [0, 1, 9] {
                let order = Order::new(1234, epoch, windows);
                let mut seen: Vec<u64> = (0..windows).map(|index| order.window(index)).collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..windows).collect::<Vec<u64>>());
            }
        }
    }

    #[test]
    fn seeds_and_epochs_differ_and_repeat() {
        let order = |seed, epoch| -> Vec<u64> {
            let order = Order::new(seed, epoch, 500);
            (0..500).map(|index| order.window(index)).collect()
        };
        assert_eq!(order(1, 0), order(1, 0));
        assert_ne!(order(1, 0), order(2, 0));
        assert_ne!(order(1, 0), order(1, 1));
        assert_ne!(order(1, 0), (0..500).collect::<Vec<u64>>());
    }

    /// Where the first window goes, over many seeds: each of ten places 1,000 times of 10,000, with a standard
    /// deviation of 30.
    #[test]
    fn places_are_even() {
        let mut counts = [0_u32; 10];
        for seed in 0..10_000 {
            let place = Order::new(seed, 3, 10).window(0);
            if let Some(count) = counts.get_mut(place as usize) {
                *count += 1;
            }
        }
        assert!(counts.iter().all(|count| count.abs_diff(1_000) < 150), "{counts:?}");
    }
}
