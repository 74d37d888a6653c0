//! Softmax attention under a mask kind.

use tch::{Kind, Tensor};

use crate::run::RunError;
use crate::spec::attention::AttentionMask;

/// What one call of [`attention`] needs beside its tensors.
#[derive(Debug)]
pub struct Attention {
    /// Who sees whom.
    pub mask: AttentionMask,
    /// Factor on the scores before softmax.
    pub scale: f64,
    /// Factors of the weights, `[b, heads, s, s]`: see [`crate::run::ops::dropout`]. None where nothing is dropped.
    pub dropout: Option<Tensor>,
}

/// Attention of queries `[b, heads, s, d]` over keys and values `[b, groups, s, d]`; result `[b, heads, s, d]`.
///
/// Query head `i` reads group `i / (heads / groups)`. Bidirectional and causal masks reach libtorch without a mask
/// tensor, which on the CPU selects its tiled kernel; only block-causal builds one, `[s, s]`. Dropout takes the plain
/// form, which alone has the weights at hand.
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn attention(call: &Attention, query: &Tensor, key: &Tensor, value: &Tensor) -> Result<Tensor, RunError> {
    if call.dropout.is_some() {
        return reference(call, query, key, value);
    }
    let (_, heads, length, _) = query.size4()?;
    let (_, groups, _, _) = key.size4()?;
    let (mask, causal) = match call.mask {
        AttentionMask::Bidirectional => (None, false),
        AttentionMask::Causal => (None, true),
        AttentionMask::BlockCausal { block } => (Some(block_causal(block, length)?), false),
    };
    let attended =
        Tensor::f_scaled_dot_product_attention(query, key, value, mask, 0.0, causal, call.scale, heads != groups)?;
    Ok(attended)
}

/// What [`attention_saving`] keeps for [`back`].
#[derive(Debug)]
pub struct Saved {
    query: Tensor,
    key: Tensor,
    value: Tensor,
    /// `[b, heads, s, d]`.
    pub attended: Tensor,
    log_sum: Tensor,
    mask: Option<Tensor>,
}

/// [`attention`] through libtorch's tiled kernel, whose gradient [`back`] asks for: not for autograd, no dropout, as
/// many groups as heads.
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn attention_saving(call: &Attention, query: Tensor, key: Tensor, value: Tensor) -> Result<Saved, RunError> {
    let mask = match call.mask {
        AttentionMask::Bidirectional | AttentionMask::Causal => None,
        AttentionMask::BlockCausal { block } => {
            let length = query.size4()?.2;
            let hidden = block_causal(block, length)?.f_logical_not()?;
            Some(
                Tensor::f_zeros([length, length], (query.kind(), query.device()))?
                    .f_masked_fill(&hidden, f64::NEG_INFINITY)?,
            )
        }
    };
    let (attended, log_sum) = Tensor::f_internal_scaled_dot_product_flash_attention_for_cpu(
        &query,
        &key,
        &value,
        0.0,
        call.mask == AttentionMask::Causal,
        mask.as_ref(),
        call.scale,
    )?;
    Ok(Saved { query, key, value, attended, log_sum, mask })
}

/// Gradients of query, key and value, given that of the result, `[b, heads, s, d]` each.
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn back(call: &Attention, saved: &Saved, gradient: &Tensor) -> Result<[Tensor; 3], RunError> {
    let (query, key, value) = Tensor::f_internal_scaled_dot_product_flash_attention_for_cpu_backward(
        gradient,
        &saved.query,
        &saved.key,
        &saved.value,
        &saved.attended,
        &saved.log_sum,
        0.0,
        call.mask == AttentionMask::Causal,
        saved.mask.as_ref(),
        call.scale,
    )?;
    Ok([query, key, value])
}

/// The plain form: scores, mask by the predicate, softmax, weighted sum. Any shapes of [`attention`].
///
/// # Errors
/// Where libtorch refuses, for shapes that do not fit.
pub fn reference(call: &Attention, query: &Tensor, key: &Tensor, value: &Tensor) -> Result<Tensor, RunError> {
    let (_, heads, length, _) = query.size4()?;
    let (_, groups, _, _) = key.size4()?;
    let shared = heads / groups.max(1);
    let key = key.f_repeat_interleave_self_int(shared, 1, None)?;
    let value = value.f_repeat_interleave_self_int(shared, 1, None)?;
    let hidden: Vec<bool> =
        (0..length as u64).flat_map(|query| (0..length as u64).map(move |key| !call.mask.allows(query, key))).collect();
    let hidden = Tensor::f_from_slice(&hidden)?.f_view([length, length])?;
    let scores = query.f_matmul(&key.f_transpose(2, 3)?)?.f_mul_scalar(call.scale)?;
    let mut weights = scores.f_masked_fill(&hidden, f64::NEG_INFINITY)?.f_softmax(-1, None::<Kind>)?;
    if let Some(factors) = &call.dropout {
        weights = weights.f_mul(factors)?;
    }
    Ok(weights.f_matmul(&value)?)
}

/// `[s, s]`, true where the query (first axis) may look.
fn block_causal(block: u64, length: i64) -> Result<Tensor, RunError> {
    let block = i64::try_from(block.max(1)).unwrap_or(i64::MAX);
    let blocks = Tensor::f_arange(length, (Kind::Int64, tch::Device::Cpu))?.f_floor_divide_scalar(block)?;
    Ok(blocks.f_unsqueeze(0)?.f_le_tensor(&blocks.f_unsqueeze(1)?)?)
}
