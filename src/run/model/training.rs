//! The training pass: every module forward with what its gradient needs, and back, without autograd.
//!
//! `x` is the residual stream, `[n, h]` with `n = b * s` positions; modules add to it in place. Going back, `g` is the
//! gradient of the residual stream, and modules add to that. What is rarely used (LayerNorm, attention with dropout)
//! is left to autograd, piece by piece.

use tch::{Kind, Tensor};

use crate::run::RunError;
use crate::run::model::Pass;
use crate::run::model::gradients::{Gradients, Recorded};
use crate::run::model::parts::{
    Embedding, GptModel, Linear, Mlp, Norm, SelfAttention, Site, TransformerBlock, TransformerLayer, Weight,
};
use crate::run::ops::attention::{self, Attention, attention_saving};
use crate::run::ops::gate::{self, activate_saving};
use crate::run::ops::norm::{inverse_rms, norm, scale, take_out_length};
use crate::run::ops::rotary::{Turns, Way};
use crate::spec::graph::NormKind;

/// What the gradient of a whole pass needs.
#[derive(Debug)]
pub struct Tape {
    tokens: Tensor,
    first_position: i64,
    dropped: Option<Tensor>,
    turns: Option<Turns>,
    layers: Vec<LayerTape>,
    final_norm: Option<NormTape>,
    /// Set where there was no layer to choose the rows.
    rows: Option<Tensor>,
}

#[derive(Debug)]
struct LayerTape {
    attention: AttentionTape,
    proj: LinearTape,
    fc1: LinearTape,
    activation: gate::Saved,
    fc2: LinearTape,
    /// Positions that go on after the attention, where not all do.
    rows: Option<Tensor>,
    dropped: [Option<Tensor>; 2],
}

#[derive(Debug)]
struct AttentionTape {
    qkv: LinearTape,
    order: Option<Order>,
    norms: [Option<NormTape>; 2],
    core: CoreTape,
}

#[derive(Debug)]
enum CoreTape {
    Tiled(Attention, attention::Saved),
    Recorded(Recorded<3>),
}

#[derive(Debug)]
struct LinearTape {
    /// What the product took, `[n, i]`. None where it is cheaper to make again.
    input: Option<Tensor>,
    /// What it was multiplied by, `[o, i]`: the weight, times the scale of the norm, in the order asked for.
    matrix: Tensor,
    norm: Option<NormTape>,
}

#[derive(Debug)]
enum NormTape {
    Rms { normed: Tensor, inverse_rms: Tensor, scale: Tensor },
    Recorded(Recorded<1>),
}

/// A gradient, times the factor of each of its rows where there is one.
struct Factored(Tensor, Option<Tensor>);

/// How elements stand while the rotary embedding turns them: the pairs of a head side by side.
#[derive(Debug)]
struct Order {
    rows_of_qkv: Permutation,
    head: Permutation,
}

#[derive(Debug)]
struct Permutation {
    forth: Tensor,
    back: Tensor,
}

impl GptModel {
    pub(super) fn train(
        &self,
        tokens: &Tensor,
        first_position: i64,
        rows: &Tensor,
        pass: Pass<'_>,
    ) -> Result<(Tensor, Tape), RunError> {
        let (batch, length) = tokens.size2()?;
        let within = |error: RunError| error.within("embedding");
        let (mut x, dropped) = self.embedding.train(tokens, first_position, pass).map_err(within)?;
        let turns = self.rotary.map(|rotary| Turns::new(&rotary, first_position, length)).transpose()?;
        let last = self.decoder.layers.len().checked_sub(1);
        let mut layers = Vec::with_capacity(self.decoder.layers.len());
        for (number, layer) in self.decoder.layers.iter().enumerate() {
            let rows = Some(rows).filter(|_| Some(number) == last);
            let tape;
            (x, tape) = layer
                .train(x, [batch, length], turns.as_ref(), rows, pass)
                .map_err(|error| error.within(&layer.path))?;
            layers.push(tape);
        }
        if last.is_none() {
            x = x.f_index_select(0, rows)?;
        }
        let rows = last.is_none().then(|| rows.shallow_clone());
        let (x, final_norm) = self.decoder.train_norm(x).map_err(|error| error.within("decoder.final_layernorm"))?;
        Ok((x, Tape { tokens: tokens.shallow_clone(), first_position, dropped, turns, layers, final_norm, rows }))
    }

    pub(super) fn back(&self, tape: Tape, gradient: Tensor, sums: &mut Gradients) -> Result<(), RunError> {
        let mut g = gradient;
        if let (Some(norm), Some(tape)) = (&self.decoder.final_layernorm, tape.final_norm) {
            g = norm.back(tape, g, None, sums)?.product()?;
        }
        let (batch, length) = tape.tokens.size2()?;
        for (layer, tape_of) in self.decoder.layers.iter().zip(tape.layers).rev() {
            g = layer
                .back(tape_of, g, [batch, length], tape.turns.as_ref(), sums)
                .map_err(|error| error.within(&layer.path))?;
        }
        if let Some(rows) = tape.rows {
            g = scattered(&g, &rows, batch * length)?;
        }
        if let Some(factors) = tape.dropped {
            let _ = g.f_mul_(&factors.f_view(g.size().as_slice())?)?;
        }
        self.embedding.back(&tape.tokens, tape.first_position, g, sums).map_err(|error| error.within("embedding"))
    }
}

impl Embedding {
    /// `[n, h]`, and the factors of dropout.
    fn train(&self, tokens: &Tensor, first: i64, pass: Pass<'_>) -> Result<(Tensor, Option<Tensor>), RunError> {
        let (batch, length) = tokens.size2()?;
        let mut x = Tensor::f_embedding(&self.words.tensor, tokens, -1, false, false)?;
        if let Some(vectors) = self.position_vectors(first, length)? {
            let _ = x.f_add_(&vectors)?;
        }
        let dropped = self.dropout.factors(&x.size(), pass)?;
        if let Some(factors) = &dropped {
            let _ = x.f_mul_(factors)?;
        }
        Ok((x.f_view([batch * length, -1])?, dropped))
    }

    fn back(&self, tokens: &Tensor, first: i64, g: Tensor, sums: &mut Gradients) -> Result<(), RunError> {
        let (batch, length) = tokens.size2()?;
        let g = g.f_view([batch, length, -1])?;
        if let Some(table) = &self.positions {
            let gradient = table.tensor.f_zeros_like()?;
            let of_positions = g.f_sum_dim_intlist(0, false, None::<Kind>)?;
            gradient.f_narrow(0, first, length)?.f_copy_(&of_positions)?;
            sums.add(table, gradient)?;
        }
        let rows = self.words.tensor.size2()?.0;
        sums.add(&self.words, Tensor::f_embedding_dense_backward(&g, tokens, rows, -1, false)?)
    }
}

impl TransformerBlock {
    fn train_norm(&self, x: Tensor) -> Result<(Tensor, Option<NormTape>), RunError> {
        let Some(norm) = &self.final_layernorm else { return Ok((x, None)) };
        let tape = norm.train(&x, None)?;
        Ok((tape.output()?, Some(tape)))
    }
}

impl TransformerLayer {
    fn train(
        &self,
        x: Tensor,
        [batch, length]: [i64; 2],
        turns: Option<&Turns>,
        rows: Option<&Tensor>,
        pass: Pass<'_>,
    ) -> Result<(Tensor, LayerTape), RunError> {
        let factors = |site: Site, width: i64| -> Result<Option<Tensor>, RunError> {
            let Some(factors) = site.factors(&[batch, length, width], pass)? else { return Ok(None) };
            Ok(Some(chosen(factors.f_view([batch * length, width])?, rows)?))
        };
        let SelfAttention { linear_qkv, linear_proj, .. } = &self.self_attention;
        let Mlp { linear_fc1, activation, linear_fc2 } = &self.mlp;
        let width = x.size2()?.1;
        let dropped = [factors(self.attention_dropout, width)?, factors(self.mlp_dropout, width)?];
        let (attended, attention) = self.self_attention.train(&x, [batch, length], turns, pass)?;
        // Rows that were chosen are a copy, and the tape keeps `x` only where a linear map reads it as it is.
        let writable = rows.is_some() || !linear_qkv.keeps_its_input();
        let (x, attended) = (chosen(x, rows)?, chosen(attended, rows)?);
        let [first, second] = &dropped;
        let (x, proj) = linear_proj.train_onto(x, writable, attended, first.as_ref())?;
        let (wide, fc1) = linear_fc1.train(&x, None)?;
        let (activated, activation) = activate_saving(*activation, wide)?;
        let (x, mut fc2) = linear_fc2.train_onto(x, !linear_fc1.keeps_its_input(), activated, second.as_ref())?;
        if linear_fc2.norm.is_none() {
            fc2.input = None;
        }
        let rows = rows.map(Tensor::shallow_clone);
        Ok((x, LayerTape { attention, proj, fc1, activation, fc2, rows, dropped }))
    }

    fn back(
        &self,
        tape: LayerTape,
        mut g: Tensor,
        shape: [i64; 2],
        turns: Option<&Turns>,
        sums: &mut Gradients,
    ) -> Result<Tensor, RunError> {
        let LayerTape { attention, proj, fc1, activation, mut fc2, rows, dropped: [first, second] } = tape;
        if fc2.input.is_none() {
            fc2.input = Some(activation.activated()?);
        }
        let activated = self.mlp.linear_fc2.back(fc2, &kept(&g, second.as_ref())?, None, sums)?.product()?;
        let wide = gate::back(activation, activated)?;
        self.mlp.linear_fc1.back(fc1, &wide, None, sums)?.add_to(&mut g)?;
        let proj_gradient = kept(&g, first.as_ref())?;
        let mut attended = self.self_attention.linear_proj.back(proj, &proj_gradient, None, sums)?.product()?;
        if let Some(rows) = &rows {
            let positions = shape.iter().product();
            (attended, g) = (scattered(&attended, rows, positions)?, scattered(&g, rows, positions)?);
        }
        self.self_attention.back(attention, attended, shape, turns, sums)?.add_to(&mut g)?;
        Ok(g)
    }
}

impl SelfAttention {
    /// Heads joined, `[n, heads * d]`, of `x` `[n, h]`.
    fn train(
        &self,
        x: &Tensor,
        [batch, length]: [i64; 2],
        turns: Option<&Turns>,
        pass: Pass<'_>,
    ) -> Result<(Tensor, AttentionTape), RunError> {
        let shared = self.heads / self.groups;
        let order = turns.map(|turns| self.order(turns)).transpose()?;
        let head_order = order.as_ref().map(|order| &order.head);
        let (mixed, qkv) = self.linear_qkv.train(x, order.as_ref().map(|order| &order.rows_of_qkv))?;
        let mixed = mixed.f_view([batch, length, self.groups, shared + 2, self.head_dim])?;
        let part = |first: i64, count: i64| mixed.f_narrow(3, first, count);
        let (query, query_norm) = placed(part(0, shared)?, self.q_layernorm.as_ref(), turns, head_order)?;
        let (key, key_norm) = placed(part(shared, 1)?, self.k_layernorm.as_ref(), turns, head_order)?;
        let by_head = |x: Tensor| -> Result<Tensor, RunError> {
            let x = x.f_expand([batch, length, self.groups, shared, self.head_dim], false)?;
            Ok(x.f_reshape([batch, length, self.heads, self.head_dim])?.f_transpose(1, 2)?)
        };
        let (query, key, value) = (by_head(query)?, by_head(key)?, by_head(part(shared + 1, 1)?)?);
        let core = &self.core_attention;
        let dropout = core.dropout.factors(&[batch, self.heads, length, length], pass)?;
        let call = Attention { mask: pass.mask.unwrap_or(core.mask), scale: core.scale, dropout };
        let core = if call.dropout.is_some() {
            CoreTape::Recorded(Recorded::run([&query, &key, &value], |[query, key, value]| {
                attention::attention(&call, query, key, value)
            })?)
        } else {
            let saved = attention_saving(&call, query, key, value)?;
            CoreTape::Tiled(call, saved)
        };
        let attended = match &core {
            CoreTape::Tiled(_, saved) => &saved.attended,
            CoreTape::Recorded(piece) => &piece.output,
        };
        let joined = attended.f_transpose(1, 2)?.f_reshape([batch * length, self.heads * self.head_dim])?;
        Ok((joined, AttentionTape { qkv, order, norms: [query_norm, key_norm], core }))
    }

    /// The gradient of `x`, given that of the joined heads.
    fn back(
        &self,
        tape: AttentionTape,
        joined: Tensor,
        [batch, length]: [i64; 2],
        turns: Option<&Turns>,
        sums: &mut Gradients,
    ) -> Result<Factored, RunError> {
        let AttentionTape { qkv, order, norms: [query_norm, key_norm], core } = tape;
        let shared = self.heads / self.groups;
        let head_order = order.as_ref().map(|order| &order.head);
        let attended = joined.f_view([batch, length, self.heads, self.head_dim])?.f_transpose(1, 2)?;
        let [query, key, value] = match core {
            CoreTape::Tiled(call, saved) => attention::back(&call, &saved, &attended)?,
            CoreTape::Recorded(piece) => piece.back(&attended, &[], sums)?,
        };
        let by_group = |x: Tensor, count: i64| -> Result<Tensor, RunError> {
            let x = x.f_transpose(1, 2)?.f_contiguous()?;
            let x = x.f_view([batch, length, self.groups, shared, self.head_dim])?;
            if count == shared { Ok(x) } else { Ok(x.f_sum_dim_intlist(3, true, None::<Kind>)?) }
        };
        let shape = [batch, length, self.groups, shared + 2, self.head_dim];
        let mixed = Tensor::f_empty(shape, (joined.kind(), joined.device()))?;
        let part = |first: i64, count: i64| mixed.f_narrow(3, first, count);
        let query = unplaced(by_group(query, shared)?, self.q_layernorm.as_ref(), query_norm, turns, head_order, sums)?;
        query.write_to(&part(0, shared)?)?;
        let key = unplaced(by_group(key, 1)?, self.k_layernorm.as_ref(), key_norm, turns, head_order, sums)?;
        key.write_to(&part(shared, 1)?)?;
        part(shared + 1, 1)?.f_copy_(&by_group(value, 1)?)?;
        let mixed = mixed.f_view([batch * length, -1])?;
        self.linear_qkv.back(qkv, &mixed, order.as_ref().map(|order| &order.rows_of_qkv), sums)
    }

    fn order(&self, turns: &Turns) -> Result<Order, RunError> {
        let head = turns.order(self.head_dim)?;
        let slots = self.heads / self.groups + 2;
        let of_slot = |slot: i64| {
            // The last slot of a group holds the value, which is not turned.
            let turned = slot % slots != slots - 1;
            let places = (0i64..).zip(&head).map(move |(at, turned_at)| if turned { *turned_at } else { at });
            places.map(move |at| slot * self.head_dim + at)
        };
        let rows: Vec<i64> = (0..self.groups * slots).flat_map(of_slot).collect();
        Ok(Order { rows_of_qkv: Permutation::new(&rows)?, head: Permutation::new(&head)? })
    }
}

/// Queries or keys `[b, s, groups, n, d]`, normed and turned. `x` is overwritten.
fn placed(
    mut x: Tensor,
    norm: Option<&Norm>,
    turns: Option<&Turns>,
    order: Option<&Permutation>,
) -> Result<(Tensor, Option<NormTape>), RunError> {
    let (placed, tape) = match norm {
        None => (x, None),
        Some(norm) if norm.spec.norm == NormKind::RmsNorm => {
            let inverse_rms = inverse_rms(norm.spec.epsilon, &x)?;
            let _ = x.f_mul_(&inverse_rms)?;
            let scale = in_order(&norm.scale()?, order)?;
            (x.f_mul(&scale)?, Some(NormTape::Rms { normed: x, inverse_rms, scale }))
        }
        Some(norm) => {
            let tape = norm.train(&x, order)?;
            (tape.output()?, Some(tape))
        }
    };
    if let Some(turns) = turns {
        turns.turn_pairs(&placed, Way::Forth)?;
    }
    Ok((placed, tape))
}

/// The gradient of what [`placed`] took, given that of what it gave, which is overwritten.
fn unplaced(
    g: Tensor,
    norm: Option<&Norm>,
    tape: Option<NormTape>,
    turns: Option<&Turns>,
    order: Option<&Permutation>,
    sums: &mut Gradients,
) -> Result<Factored, RunError> {
    if let Some(turns) = turns {
        turns.turn_pairs(&g, Way::Back)?;
    }
    match norm.zip(tape) {
        Some((norm, tape)) => norm.back(tape, g, order, sums),
        None => Ok(Factored(g, None)),
    }
}

impl Linear {
    /// Whether the tape of [`Linear::train`] keeps `x` itself: then nobody may write to it.
    fn keeps_its_input(&self) -> bool {
        self.norm.as_ref().is_none_or(|norm| norm.spec.norm != NormKind::RmsNorm)
    }

    /// `[n, o]` of `x` `[n, i]`, its columns in `order`. The scale of an RMS norm is applied to the matrix, which has
    /// fewer rows than `x` in training.
    fn train(&self, x: &Tensor, order: Option<&Permutation>) -> Result<(Tensor, LinearTape), RunError> {
        let mut matrix = in_order(&self.weight.tensor.f_detach()?, order)?;
        let norm = self.norm.as_ref().map(|norm| norm.train(x, None)).transpose()?;
        let input = match &norm {
            None => x.shallow_clone(),
            Some(NormTape::Rms { normed, scale, .. }) => {
                matrix = matrix.f_mul(scale)?;
                normed.shallow_clone()
            }
            Some(NormTape::Recorded(piece)) => piece.output.shallow_clone(),
        };
        let bias = self.bias.as_ref().map(|bias| in_order(&bias.tensor, order)).transpose()?;
        Ok((input.f_linear(&matrix, bias.as_ref())?, LinearTape { input: Some(input), matrix, norm }))
    }

    /// `x` `[n, o]` plus this map of `input` `[n, i]`, times `factors`; written over `x` where that may be.
    fn train_onto(
        &self,
        mut x: Tensor,
        writable: bool,
        input: Tensor,
        factors: Option<&Tensor>,
    ) -> Result<(Tensor, LinearTape), RunError> {
        if self.norm.is_none() && self.bias.is_none() && factors.is_none() {
            let matrix = self.weight.tensor.f_detach()?;
            let turned = matrix.f_transpose(0, 1)?;
            let x = if writable { x.f_addmm_(&input, &turned)? } else { x.f_addmm(&input, &turned)? };
            return Ok((x, LinearTape { input: Some(input), matrix, norm: None }));
        }
        let (mut y, tape) = self.train(&input, None)?;
        if let Some(factors) = factors {
            let _ = y.f_mul_(factors)?;
        }
        Ok((y.f_add_(&x)?, tape))
    }

    /// The gradient of `x` `[n, i]`, given that of the result; those of the parameters go into `sums`.
    fn back(
        &self,
        tape: LinearTape,
        gradient: &Tensor,
        order: Option<&Permutation>,
        sums: &mut Gradients,
    ) -> Result<Factored, RunError> {
        let LinearTape { input: Some(input), matrix, norm } = tape else {
            return Err(RunError::plan("the input of a linear map was not kept"));
        };
        if let Some(bias) = &self.bias {
            sums.add(bias, out_of_order(gradient.f_sum_dim_intlist(0, false, None::<Kind>)?, order)?)?;
        }
        let mut of_input = gradient.f_mm(&matrix)?;
        match self.norm.as_ref().zip(norm) {
            Some((norm, NormTape::Rms { normed, inverse_rms, scale })) => {
                let mut of_matrix = out_of_order(gradient.f_transpose(0, 1)?.f_mm(&input)?, order)?;
                let products = of_matrix.f_mul(&self.weight.tensor)?;
                sums.add(&norm.weight, products.f_sum_dim_intlist(0, false, None::<Kind>)?)?;
                sums.add(&self.weight, of_matrix.f_mul_(&scale)?)?;
                take_out_length(&mut of_input, &normed, None)?;
                return Ok(Factored(of_input, Some(inverse_rms)));
            }
            Some((norm, NormTape::Recorded(piece))) => {
                let [of_x] = piece.back(&of_input, &norm.weights(), sums)?;
                of_input = of_x;
            }
            None => {}
        }
        match order {
            None => sums.add_product(&self.weight, gradient, &input)?,
            Some(_) => sums.add(&self.weight, out_of_order(gradient.f_transpose(0, 1)?.f_mm(&input)?, order)?)?,
        }
        Ok(Factored(of_input, None))
    }
}

impl Norm {
    /// The norm of `x` `[…, n]`, its parameters in `order`.
    fn train(&self, x: &Tensor, order: Option<&Permutation>) -> Result<NormTape, RunError> {
        match self.spec.norm {
            NormKind::RmsNorm => {
                let inverse_rms = inverse_rms(self.spec.epsilon, x)?;
                let scale = in_order(&self.scale()?, order)?;
                Ok(NormTape::Rms { normed: x.f_mul(&inverse_rms)?, inverse_rms, scale })
            }
            NormKind::LayerNorm => Ok(NormTape::Recorded(Recorded::run([x], |[x]| {
                let weight = in_order(&self.weight.tensor, order)?;
                let bias = self.bias.as_ref().map(|bias| in_order(&bias.tensor, order)).transpose()?;
                norm(&self.spec, x, &weight, bias.as_ref())
            })?)),
        }
    }

    /// The gradient of `x`, given that of the result, which is overwritten.
    fn back(
        &self,
        tape: NormTape,
        mut g: Tensor,
        order: Option<&Permutation>,
        sums: &mut Gradients,
    ) -> Result<Factored, RunError> {
        match tape {
            NormTape::Rms { normed, inverse_rms, scale } => {
                let mut products = g.f_mul(&normed)?;
                let rows = products.f_reshape([-1, scale.size1()?])?;
                sums.add(&self.weight, out_of_order(rows.f_sum_dim_intlist(0, false, None::<Kind>)?, order)?)?;
                let _ = (products.f_mul_(&scale)?, g.f_mul_(&scale)?);
                take_out_length(&mut g, &normed, Some(&products))?;
                Ok(Factored(g, Some(inverse_rms)))
            }
            NormTape::Recorded(piece) => {
                let [of_x] = piece.back(&g, &self.weights(), sums)?;
                Ok(Factored(of_x, None))
            }
        }
    }

    fn scale(&self) -> Result<Tensor, RunError> {
        scale(&self.spec, &self.weight.tensor.f_detach()?)
    }

    fn weights(&self) -> Vec<&Weight> {
        std::iter::once(&self.weight).chain(&self.bias).collect()
    }
}

impl NormTape {
    /// The norm itself, in a tensor of its own.
    fn output(&self) -> Result<Tensor, RunError> {
        match self {
            NormTape::Rms { normed, scale, .. } => Ok(normed.f_mul(scale)?),
            NormTape::Recorded(piece) => {
                let mut copy = piece.output.f_empty_like()?;
                copy.f_copy_(&piece.output)?;
                Ok(copy)
            }
        }
    }
}

impl Factored {
    fn product(self) -> Result<Tensor, RunError> {
        let Factored(mut g, factor) = self;
        if let Some(factor) = factor {
            let _ = g.f_mul_(&factor)?;
        }
        Ok(g)
    }

    fn add_to(self, sum: &mut Tensor) -> Result<(), RunError> {
        let _ = match self {
            Factored(g, Some(factor)) => sum.f_addcmul_(&g, &factor)?,
            Factored(g, None) => sum.f_add_(&g)?,
        };
        Ok(())
    }

    fn write_to(self, place: &Tensor) -> Result<(), RunError> {
        match self {
            Factored(g, Some(factor)) => drop(g.f_mul_out(place, &factor)?),
            Factored(g, None) => place.shallow_clone().f_copy_(&g)?,
        }
        Ok(())
    }
}

impl Permutation {
    fn new(order: &[i64]) -> Result<Permutation, RunError> {
        let forth = Tensor::f_from_slice(order)?;
        Ok(Permutation { back: forth.f_argsort(0, false)?, forth })
    }
}

fn in_order(x: &Tensor, order: Option<&Permutation>) -> Result<Tensor, RunError> {
    order.map_or_else(|| Ok(x.shallow_clone()), |order| Ok(x.f_index_select(0, &order.forth)?))
}

fn out_of_order(x: Tensor, order: Option<&Permutation>) -> Result<Tensor, RunError> {
    match order {
        Some(order) => Ok(x.f_index_select(0, &order.back)?),
        None => Ok(x),
    }
}

/// Some rows of `x`, a copy, or `x` itself.
fn chosen(x: Tensor, rows: Option<&Tensor>) -> Result<Tensor, RunError> {
    match rows {
        Some(rows) => Ok(x.f_index_select(0, rows)?),
        None => Ok(x),
    }
}

/// `x` `[m, w]` at `rows` of `[positions, w]`, zero elsewhere.
fn scattered(x: &Tensor, rows: &Tensor, positions: i64) -> Result<Tensor, RunError> {
    let mut whole = x.f_new_zeros([positions, x.size2()?.1], (x.kind(), x.device()))?;
    Ok(whole.f_index_copy_(0, rows, x)?)
}

/// The gradient in front of dropout.
fn kept(g: &Tensor, factors: Option<&Tensor>) -> Result<Tensor, RunError> {
    factors.map_or_else(|| Ok(g.shallow_clone()), |factors| Ok(g.f_mul(factors)?))
}
