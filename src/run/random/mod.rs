//! Randomness of a run as a function: the same (seed, stream, sample, position) gives the same numbers at all times.
//!
//! Must not know: batches, threads, devices, how far a run has come. Start with [`Stream`]. Invariants: there is no
//! generator state to save, so a resumed run and another batch split see the same draws; streams of different
//! [`Purpose`] or sample never share a counter.

mod philox;

pub use philox::philox4x32_10;

/// What a draw is for. The numbers are part of what a seed means: they never change, new ones are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Purpose {
    /// The masking time of a training row.
    Time = 0,
    /// Whether a position of a training row is masked.
    Mask = 1,
    /// The position that is masked where a row would have none.
    Rescue = 2,
    /// Whether and where a training step is cut short.
    Length = 3,
    /// First values of parameters.
    Parameter = 4,
    /// The order of samples in an epoch.
    Order = 5,
    /// How many positions of an evaluation row are masked.
    EvaluationCount = 6,
    /// Which positions of an evaluation row are masked.
    EvaluationMask = 7,
    /// Tokens drawn while sampling.
    SampleToken = 8,
    /// Positions drawn while sampling.
    SamplePosition = 9,
    /// Elements that dropout drops: see [`Stream::of_site`].
    Dropout = 10,
}

/// The numbers of one purpose and one sample, addressed by position.
///
/// Counter of Philox: (block of four positions, purpose, low and high half of the sample index); key: the seed.
/// Positions reach to 2^34 (16 G).
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    key: [u32; 2],
    purpose: u32,
    sample: [u32; 2],
}

impl Stream {
    /// The stream of `sample` (a global index, or any other number that names what is drawn for).
    pub fn new(seed: u64, purpose: Purpose, sample: u64) -> Stream {
        Stream { key: halves(seed), purpose: purpose as u32, sample: halves(sample) }
    }

    /// The stream of [`Purpose::Dropout`] at one of up to 2^24 places of a network.
    pub fn of_site(seed: u64, site: u32, sample: u64) -> Stream {
        Stream { purpose: Purpose::Dropout as u32 | site << 8, ..Stream::new(seed, Purpose::Dropout, sample) }
    }

    /// The four words that hold positions `4 * block` to `4 * block + 3`.
    fn block(&self, block: u32) -> [u32; 4] {
        philox4x32_10([block, self.purpose, self.sample[0], self.sample[1]], self.key)
    }

    /// 32 random bits.
    pub fn bits(&self, position: u64) -> u32 {
        let [a, b, c, d] = self.block((position >> 2) as u32);
        match position & 3 {
            0 => a,
            1 => b,
            2 => c,
            _ => d,
        }
    }

    /// 64 random bits, from positions `2 * pair` and `2 * pair + 1`.
    pub fn wide_bits(&self, pair: u64) -> u64 {
        let [a, b, c, d] = self.block((pair >> 1) as u32);
        let (high, low) = if pair & 1 == 0 { (a, b) } else { (c, d) };
        u64::from(high) << 32 | u64::from(low)
    }

    /// Uniform in `[0, 1)`: a multiple of 2^-32, so that comparing two of them compares their bits.
    pub fn uniform(&self, position: u64) -> f64 {
        f64::from(self.bits(position)) * TWO_POW_MINUS_32
    }

    /// Uniform in `[0, 1)` in single precision: a multiple of 2^-24, never rounded up to 1.
    pub fn uniform_f32(&self, position: u64) -> f32 {
        (self.bits(position) >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// Uniform in `0..bound`; 0 where `bound` is 0. From the 64 bits of pair `pair`, by multiplication: the bias of
    /// any outcome is below `bound / 2^64`.
    pub fn below(&self, pair: u64, bound: u64) -> u64 {
        ((u128::from(self.wide_bits(pair)) * u128::from(bound)) >> 64) as u64
    }

    /// Fills `out` with uniform draws of positions `0..out.len()`.
    pub fn fill_uniform(&self, out: &mut [f64]) {
        self.fill_words(out, |word, value| *value = f64::from(word) * TWO_POW_MINUS_32);
    }

    /// Calls `fill` with the 32 bits of each position `0..out.len()` and its place in `out`.
    pub fn fill_words<T>(&self, out: &mut [T], fill: impl Fn(u32, &mut T)) {
        for (block, chunk) in (0..).zip(out.chunks_mut(4)) {
            for (value, word) in chunk.iter_mut().zip(self.block(block)) {
                fill(word, value);
            }
        }
    }

    /// Fills `out` with draws from the normal distribution of the given standard deviation around 0 (Box and Muller
    /// 1958, both values of each pair), computed in double precision, those of positions `4 * first_block` on.
    pub fn fill_normal(&self, std: f64, first_block: u32, out: &mut [f32]) {
        for (block, chunk) in (first_block..).zip(out.chunks_mut(4)) {
            let [a, b, c, d] = self.block(block);
            let (first, second) = normal_pair(a, b);
            let (third, fourth) = normal_pair(c, d);
            for (value, normal) in chunk.iter_mut().zip([first, second, third, fourth]) {
                *value = (normal * std) as f32;
            }
        }
    }
}

/// A number that stands for a name, so that draws can be keyed by it: FNV-1a, 64 bits.
pub fn name_key(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

const TWO_POW_MINUS_32: f64 = 1.0 / 4_294_967_296.0;

fn halves(wide: u64) -> [u32; 2] {
    [wide as u32, (wide >> 32) as u32]
}

/// Two independent normal numbers from two words. The first uniform lies in `(0, 1]`, so its logarithm is finite.
fn normal_pair(radius: u32, angle: u32) -> (f64, f64) {
    let radius = (-2.0 * ((f64::from(radius) + 1.0) * TWO_POW_MINUS_32).ln()).sqrt();
    let (sin, cos) = (std::f64::consts::TAU * f64::from(angle) * TWO_POW_MINUS_32).sin_cos();
    (radius * cos, radius * sin)
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "a test may fail")]
mod tests {
    use super::{Purpose, Stream, name_key};

    const N: u64 = 200_000;

    fn stream() -> Stream {
        Stream::new(1234, Purpose::Mask, 0xdead_beef_0000_0007)
    }

    #[test]
    fn addressing_agrees_between_forms() {
        let stream = stream();
        let mut filled = [0.0; 11];
        stream.fill_uniform(&mut filled);
        for (position, value) in (0u64..).zip(filled) {
            assert_eq!(value, stream.uniform(position));
        }
        assert_eq!(stream.wide_bits(3) >> 32, u64::from(stream.bits(6)));
        assert_eq!(stream.wide_bits(3) as u32, stream.bits(7));
    }

    #[test]
    fn streams_differ_in_every_key() {
        let bits = |seed, purpose, sample| Stream::new(seed, purpose, sample).bits(0);
        let base = bits(1, Purpose::Time, 2);
        assert_ne!(base, bits(1 + (1 << 32), Purpose::Time, 2));
        assert_ne!(base, bits(1, Purpose::Rescue, 2));
        assert_ne!(base, bits(1, Purpose::Time, 2 + (1 << 32)));
    }

    #[test]
    fn uniform_has_the_moments_of_the_uniform_distribution() {
        let stream = stream();
        let draws: Vec<f64> = (0..N).map(|position| stream.uniform(position)).collect();
        let mean = draws.iter().sum::<f64>() / N as f64;
        let variance = draws.iter().map(|u| (u - 0.5) * (u - 0.5)).sum::<f64>() / N as f64;
        // Standard errors: sqrt(1/12/N) = 6.5e-4 for the mean, sqrt(1/180/N) = 1.7e-4 for the second moment.
        assert!((mean - 0.5).abs() < 5.0 * 6.5e-4, "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 5.0 * 1.7e-4, "{variance}");
        assert!(draws.iter().all(|u| (0.0..1.0).contains(u)));
        assert!((0..N).all(|position| (0.0..1.0).contains(&stream.uniform_f32(position))));
    }

    #[test]
    fn normal_has_the_moments_of_the_normal_distribution() {
        let mut draws = vec![0f32; N as usize];
        stream().fill_normal(2.0, 0, &mut draws);
        let moment = |power| draws.iter().map(|x| (f64::from(*x) / 2.0).powi(power)).sum::<f64>() / N as f64;
        // Standard errors: sqrt(1/N) = 2.2e-3, sqrt(2/N) = 3.2e-3, sqrt(15/N) = 8.7e-3, sqrt(96/N) = 2.2e-2.
        assert!(moment(1).abs() < 5.0 * 2.2e-3, "{}", moment(1));
        assert!((moment(2) - 1.0).abs() < 5.0 * 3.2e-3, "{}", moment(2));
        assert!(moment(3).abs() < 5.0 * 8.7e-3, "{}", moment(3));
        assert!((moment(4) - 3.0).abs() < 5.0 * 2.2e-2, "{}", moment(4));
    }

    #[test]
    fn below_reaches_every_value_and_no_other() {
        let mut counts = [0u64; 7];
        for pair in 0..70_000 {
            let drawn = stream().below(pair, 7);
            *counts.get_mut(drawn as usize).expect("a draw below 7") += 1;
        }
        // Binomial with n = 70,000 and p = 1/7: standard deviation 92.6.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 463), "{counts:?}");
        assert_eq!(stream().below(0, 0), 0);
        assert_eq!(stream().below(0, 1), 0);
    }

    /// Values of the public definition of FNV-1a, 64 bits (draft-eastlake-fnv, appendix C).
    #[test]
    fn name_key_is_fnv_1a() {
        assert_eq!(name_key(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(name_key("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(name_key("foobar"), 0x8594_4171_f739_67e8);
    }
}
