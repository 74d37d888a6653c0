//! Rotary position embedding.

use tch::{Device, Kind, Tensor};

use crate::run::RunError;
use crate::spec::graph::Rotary;

/// The turns of a range of positions: `exp(i * position * base^(-2k/dim))`, complex, `[s, 1, dim / 2]`.
#[derive(Debug)]
pub struct Turns {
    spec: Rotary,
    turns: Tensor,
}

/// The direction of a turn: that of the embedding, or of its gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By the angle of the position.
    Forth,
    /// By its opposite.
    Back,
}

impl Turns {
    /// The turns of `length` positions from `first` on. Frequencies and angles are computed in single precision, as
    /// Megatron does.
    ///
    /// # Errors
    /// Where libtorch refuses.
    pub fn new(spec: &Rotary, first: i64, length: i64) -> Result<Turns, RunError> {
        let single = (Kind::Float, Device::Cpu);
        let dim = i64::try_from(spec.dim).map_err(|_| RunError::plan("rotary dimension does not fit 63 bits"))?;
        let exponents = Tensor::f_arange_start_step(0, dim, 2, single)?.f_div_scalar(dim as f64)?;
        let frequencies = Tensor::f_pow_scalar(spec.base, &exponents)?.f_reciprocal()?;
        let positions = Tensor::f_arange_start(first, first + length, single)?;
        let angles = positions.f_outer(&frequencies)?;
        let turns = Tensor::f_complex(&angles.f_cos()?, &angles.f_sin()?)?.f_unsqueeze(1)?;
        Ok(Turns { spec: *spec, turns })
    }

    /// Turns the leading elements of each head of `x` `[b, s, heads, d]`.
    ///
    /// For pairs that are halves the result holds the pairs side by side instead: the order within a head is another
    /// one than before, the same for queries and keys, so that their products are what they must be. That saves the
    /// two copies that would put the halves back.
    ///
    /// # Errors
    /// Where libtorch refuses, for shapes that do not fit.
    pub fn apply(&self, x: &Tensor) -> Result<Tensor, RunError> {
        let (batch, length, heads, width) = x.size4()?;
        let dim = self.turns.size3()?.2 * 2;
        if dim == width {
            return self.turn(x, [batch, length, heads, dim]);
        }
        let parts = x.f_split_with_sizes([dim, width - dim], 3)?;
        let [turned, rest] = parts.as_slice() else {
            return Err(RunError::plan("a head was not split in two"));
        };
        Ok(Tensor::f_cat(&[&self.turn(turned, [batch, length, heads, dim])?, rest], 3)?)
    }

    /// Where each element of a head of `width` must stand for [`Turns::turn_pairs`], as indices: pairs side by side.
    ///
    /// # Errors
    /// Where libtorch refuses.
    pub fn order(&self, width: i64) -> Result<Vec<i64>, RunError> {
        let half = self.turns.size3()?.2;
        let of_pair = |pair: i64| if self.spec.interleaved { [2 * pair, 2 * pair + 1] } else { [pair, pair + half] };
        Ok((0..half).flat_map(of_pair).chain(2 * half..width).collect())
    }

    /// Turns the leading elements of each head of `x` `[b, s, …, d]` in place, pairs side by side; not for autograd.
    /// `x` is contiguous in its last axis.
    ///
    /// # Errors
    /// Where libtorch refuses, for shapes that do not fit.
    pub fn turn_pairs(&self, x: &Tensor, way: Way) -> Result<(), RunError> {
        let (length, _, half) = self.turns.size3()?;
        let mut pairs = x.size();
        pairs.pop();
        let last_axis = pairs.len() as i64;
        let mut broad = vec![1; pairs.len() + 1];
        if let [_, first, .., last] = broad.as_mut_slice() {
            (*first, *last) = (length, half);
        }
        pairs.extend([half, 2]);
        let turns = match way {
            Way::Forth => self.turns.f_view(broad.as_slice())?,
            Way::Back => self.turns.f_conj()?.f_view(broad.as_slice())?,
        };
        let leading = x.f_narrow(last_axis, 0, 2 * half)?;
        let _ = leading.f_view(pairs.as_slice())?.f_view_as_complex()?.f_mul_(&turns)?;
        Ok(())
    }

    fn turn(&self, x: &Tensor, shape: [i64; 4]) -> Result<Tensor, RunError> {
        let [batch, length, heads, dim] = shape;
        let pairs = if self.spec.interleaved {
            x.f_reshape([batch, length, heads, dim / 2, 2])?.f_view_as_complex()?
        } else {
            let halves = x.f_chunk(2, 3)?;
            let [first, second] = halves.as_slice() else {
                return Err(RunError::plan("a head was not split in two"));
            };
            Tensor::f_complex(first, second)?
        };
        Ok(pairs.f_mul(&self.turns)?.f_view_as_real()?.f_view(shape)?)
    }
}
