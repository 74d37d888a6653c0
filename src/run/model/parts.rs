//! The modules of a network, and how each computes its output.

use tch::Tensor;

use crate::run::RunError;
use crate::run::model::Pass;
use crate::run::ops::attention::{Attention, attention};
use crate::run::ops::gate::activate;
use crate::run::ops::loss::Head;
use crate::run::ops::norm::norm;
use crate::run::ops::rotary::Turns;
use crate::spec::attention::AttentionMask;
use crate::spec::graph::{Activation, Norm as NormSpec, Rotary};

/// A parameter: its values, and its number among all parameters.
#[derive(Debug)]
pub(super) struct Weight {
    pub(super) index: usize,
    pub(super) tensor: Tensor,
}

/// The whole network.
#[derive(Debug)]
pub(super) struct GptModel {
    pub(super) embedding: Embedding,
    pub(super) decoder: TransformerBlock,
    /// None where the head is tied to the embedding.
    pub(super) output_layer: Option<Linear>,
    pub(super) rotary: Option<Rotary>,
}

/// Token vectors, with learned positions where there are any.
#[derive(Debug)]
pub(super) struct Embedding {
    pub(super) words: Weight,
    pub(super) positions: Option<Weight>,
    pub(super) dropout: Site,
}

/// A stack of layers and the norm behind it.
#[derive(Debug)]
pub(super) struct TransformerBlock {
    pub(super) layers: Vec<TransformerLayer>,
    pub(super) final_layernorm: Option<Norm>,
}

/// Attention and MLP, each added to the residual stream.
#[derive(Debug)]
pub(super) struct TransformerLayer {
    pub(super) path: String,
    pub(super) self_attention: SelfAttention,
    pub(super) mlp: Mlp,
    pub(super) attention_dropout: Site,
    pub(super) mlp_dropout: Site,
}

/// Attention of a sequence over itself.
#[derive(Debug)]
pub(super) struct SelfAttention {
    pub(super) heads: i64,
    pub(super) groups: i64,
    pub(super) head_dim: i64,
    pub(super) linear_qkv: Linear,
    pub(super) q_layernorm: Option<Norm>,
    pub(super) k_layernorm: Option<Norm>,
    pub(super) core_attention: CoreAttention,
    pub(super) linear_proj: Linear,
}

/// Softmax attention over heads.
#[derive(Debug)]
pub(super) struct CoreAttention {
    pub(super) mask: AttentionMask,
    pub(super) scale: f64,
    pub(super) dropout: Site,
}

/// Two linear maps with an activation between them.
#[derive(Debug)]
pub(super) struct Mlp {
    pub(super) linear_fc1: Linear,
    pub(super) activation: Activation,
    pub(super) linear_fc2: Linear,
}

/// A linear map with the norm in front of it, if any.
#[derive(Debug)]
pub(super) struct Linear {
    pub(super) norm: Option<Norm>,
    pub(super) weight: Weight,
    pub(super) bias: Option<Weight>,
}

/// A place where elements are dropped while training.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) number: u32,
    pub(super) probability: f64,
}

/// A norm and its parameters.
#[derive(Debug)]
pub(super) struct Norm {
    pub(super) spec: NormSpec,
    pub(super) weight: Weight,
    pub(super) bias: Option<Weight>,
}

impl GptModel {
    /// Hidden states `[b, s, h]` of tokens `[b, s]`, or `[n, h]` at `rows` of the flattened batch.
    pub(super) fn forward(
        &self,
        tokens: &Tensor,
        first_position: i64,
        pass: Pass<'_>,
        rows: Option<&Tensor>,
    ) -> Result<Tensor, RunError> {
        let (_, length) = tokens.size2()?;
        let x = self.embedding.forward(tokens, first_position, pass).map_err(|error| error.within("embedding"))?;
        let turns = self.rotary.map(|rotary| Turns::new(&rotary, first_position, length)).transpose()?;
        self.decoder.forward(x, turns.as_ref(), pass, rows)
    }

    pub(super) fn head(&self) -> Head<'_> {
        match &self.output_layer {
            Some(linear) => Head { weight: &linear.weight.tensor, bias: linear.bias_tensor() },
            None => Head { weight: &self.embedding.words.tensor, bias: None },
        }
    }

    pub(super) fn embedding_rows(&self) -> Result<i64, RunError> {
        Ok(self.embedding.words.tensor.size2()?.0)
    }
}

impl Embedding {
    fn forward(&self, tokens: &Tensor, first_position: i64, pass: Pass<'_>) -> Result<Tensor, RunError> {
        let mut x = Tensor::f_embedding(&self.words.tensor, tokens, -1, false, false)?;
        if let Some(vectors) = self.position_vectors(first_position, tokens.size2()?.1)? {
            x = x.f_add(&vectors)?;
        }
        self.dropout.drop(x, None, pass)
    }
}

impl Embedding {
    /// The learned vectors `[s, h]` of positions, where positions are learned.
    pub(super) fn position_vectors(&self, first: i64, length: i64) -> Result<Option<Tensor>, RunError> {
        let Some(table) = &self.positions else { return Ok(None) };
        let known = table.tensor.size2()?.0;
        if first < 0 || first + length > known {
            let last = first + length - 1;
            let what = format!("positions {first} to {last}, but the learned table has {known}");
            return Err(RunError::plan(what));
        }
        Ok(Some(table.tensor.f_narrow(0, first, length)?))
    }
}

impl TransformerBlock {
    fn forward(
        &self,
        mut x: Tensor,
        turns: Option<&Turns>,
        pass: Pass<'_>,
        rows: Option<&Tensor>,
    ) -> Result<Tensor, RunError> {
        let last = self.layers.len().checked_sub(1);
        for (number, layer) in self.layers.iter().enumerate() {
            let rows = rows.filter(|_| Some(number) == last);
            x = layer.forward(&x, turns, pass, rows).map_err(|error| error.within(&layer.path))?;
        }
        if last.is_none() {
            x = selected(&x, rows)?;
        }
        match &self.final_layernorm {
            Some(norm) => norm.forward(&x).map_err(|error| error.within("decoder.final_layernorm")),
            None => Ok(x),
        }
    }
}

impl TransformerLayer {
    fn forward(
        &self,
        x: &Tensor,
        turns: Option<&Turns>,
        pass: Pass<'_>,
        rows: Option<&Tensor>,
    ) -> Result<Tensor, RunError> {
        let attended = self.self_attention.forward(x, turns, pass, rows)?;
        let (chosen, whole) = (rows.map(|rows| (rows, x.size())), x);
        let x = selected(whole, rows)?.f_add(&self.attention_dropout.drop(attended, chosen.clone(), pass)?)?;
        let transformed = self.mlp.forward(&x)?;
        Ok(x.f_add(&self.mlp_dropout.drop(transformed, chosen, pass)?)?)
    }
}

impl SelfAttention {
    fn forward(
        &self,
        x: &Tensor,
        turns: Option<&Turns>,
        pass: Pass<'_>,
        rows: Option<&Tensor>,
    ) -> Result<Tensor, RunError> {
        let (batch, length, _) = x.size3()?;
        let shared = self.heads / self.groups;
        let mixed = self.linear_qkv.forward(x)?.f_view([batch, length, self.groups, shared + 2, self.head_dim])?;
        let parts = mixed.f_split_with_sizes([shared, 1, 1], 3)?;
        let [query, key, value] = parts.as_slice() else {
            return Err(RunError::plan("queries, keys and values were not split in three"));
        };
        let query = query.f_reshape([batch, length, self.heads, self.head_dim])?;
        let key = key.f_reshape([batch, length, self.groups, self.head_dim])?;
        let value = value.f_reshape([batch, length, self.groups, self.head_dim])?;
        let placed = |x: Tensor, norm: Option<&Norm>| -> Result<Tensor, RunError> {
            let x = norm.map_or(Ok(None), |norm| norm.forward(&x).map(Some))?.unwrap_or(x);
            let x = turns.map_or(Ok(None), |turns| turns.apply(&x).map(Some))?.unwrap_or(x);
            Ok(x.f_transpose(1, 2)?)
        };
        let query = placed(query, self.q_layernorm.as_ref())?;
        let key = placed(key, self.k_layernorm.as_ref())?;
        let attended = self.core_attention.forward(&query, &key, &value.f_transpose(1, 2)?, pass)?;
        let joined = attended.f_transpose(1, 2)?.f_reshape([batch, length, self.heads * self.head_dim])?;
        self.linear_proj.forward(&selected(&joined, rows)?)
    }
}

impl CoreAttention {
    fn forward(&self, query: &Tensor, key: &Tensor, value: &Tensor, pass: Pass<'_>) -> Result<Tensor, RunError> {
        let (batch, heads, length, _) = query.size4()?;
        let dropout = self.dropout.factors(&[batch, heads, length, length], pass)?;
        let call = Attention { mask: pass.mask.unwrap_or(self.mask), scale: self.scale, dropout };
        attention(&call, query, key, value)
    }
}

impl Mlp {
    fn forward(&self, x: &Tensor) -> Result<Tensor, RunError> {
        self.linear_fc2.forward(&activate(self.activation, &self.linear_fc1.forward(x)?)?)
    }
}

impl Linear {
    fn forward(&self, x: &Tensor) -> Result<Tensor, RunError> {
        let normed;
        let x = match &self.norm {
            Some(norm) => {
                normed = norm.forward(x)?;
                &normed
            }
            None => x,
        };
        Ok(x.f_linear(&self.weight.tensor, self.bias_tensor())?)
    }

    pub(super) fn bias_tensor(&self) -> Option<&Tensor> {
        self.bias.as_ref().map(|bias| &bias.tensor)
    }
}

impl Norm {
    fn forward(&self, x: &Tensor) -> Result<Tensor, RunError> {
        norm(&self.spec, x, &self.weight.tensor, self.bias.as_ref().map(|bias| &bias.tensor))
    }
}

/// The chosen positions `[n, h]` of `x` `[b, s, h]`, or `x` where none are chosen.
fn selected(x: &Tensor, rows: Option<&Tensor>) -> Result<Tensor, RunError> {
    let Some(rows) = rows else { return Ok(x.shallow_clone()) };
    let (_, _, width) = x.size3()?;
    Ok(x.f_reshape([-1, width])?.f_index_select(0, rows)?)
}

impl Site {
    /// The factors of a tensor of `shape`, batch first; none where nothing is dropped.
    pub(super) fn factors(self, shape: &[i64], pass: Pass<'_>) -> Result<Option<Tensor>, RunError> {
        let dropout = pass.dropout.filter(|_| self.probability > 0.0);
        dropout.map(|dropout| dropout.factors(self.number, self.probability, shape)).transpose()
    }

    /// Drops elements of `x` `[b, s, h]`, or of `x` `[n, h]` that are the chosen positions of a tensor of that shape.
    fn drop(self, x: Tensor, chosen: Option<(&Tensor, Vec<i64>)>, pass: Pass<'_>) -> Result<Tensor, RunError> {
        let shape = chosen.as_ref().map_or_else(|| x.size(), |(_, whole)| whole.clone());
        match self.factors(&shape, pass)? {
            Some(factors) => Ok(x.f_mul(&selected(&factors, chosen.map(|(rows, _)| rows))?)?),
            None => Ok(x),
        }
    }
}
