//! The layer-spec graph: the network as a tree of typed modules.
//!
//! Module and parameter names are Megatron's, so that the dotted path of a parameter is its name in a checkpoint of
//! MegaDLMs (transformer-engine spec): `decoder.layers.0.self_attention.linear_qkv.weight`.

use serde::{Deserialize, Serialize};

use crate::spec::Cause;
use crate::spec::attention::AttentionMask;

/// A network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerGraph {
    /// The sizes that shapes speak of.
    pub dims: Dims,
    /// The whole model, a [`Module::GptModel`]. Its name is empty: it has no part in parameter names.
    pub root: Node,
}

/// The sizes that shapes speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dims {
    /// `s`: tokens in a sequence of the data set.
    pub sequence: u64,
    /// `b`: sequences in a micro-batch.
    pub micro_batch: u64,
    /// `h`: width of the residual stream.
    pub hidden: u64,
    /// `v`: rows of the embedding, padding included.
    pub padded_vocab: u64,
    /// Rows of the embedding that stand for tokens.
    pub vocab: u64,
}

/// One module of the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Its name within its parent, without dots: `linear_qkv`, `layers`, `0`.
    pub name: String,
    /// The class that the target builds here: `DiffLMTransformerLayer`.
    pub class: String,
    /// What it computes.
    pub module: Module,
    /// Its own parameters, in the order in which the target registers them.
    pub parameters: Vec<Parameter>,
    /// Shape of what enters.
    pub input: Shape,
    /// Shape of what leaves.
    pub output: Shape,
    /// Its parts, in the order in which the target registers them.
    pub children: Vec<Node>,
    /// The fields that made it what it is.
    pub causes: Vec<Cause>,
}

/// A shape over named sizes: `[s, b, h]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Shape(pub Vec<Axis>);

/// One axis of a shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Axis {
    /// A number.
    Size(u64),
    /// A named size: `s`, `b`, `h`, `v`.
    Symbol(String),
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[")?;
        for (at, axis) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            match axis {
                Axis::Size(size) => write!(f, "{comma}{size}")?,
                Axis::Symbol(name) => write!(f, "{comma}{name}")?,
            }
        }
        f.write_str("]")
    }
}

/// What a module computes. A runtime builds the network by a `match` over this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Module {
    /// `embedding`, `decoder`, and `output_layer` on top: tokens `[b, s]` to logits `[s, b, v]`.
    GptModel {
        /// The output layer uses the rows of `embedding.word_embeddings.weight`.
        tied_head: bool,
        /// Rotary embedding of queries and keys, one for all layers; it has no parameters.
        rotary: Option<Rotary>,
    },
    /// `word_embeddings`, and `position_embeddings` where positions are learned; tokens `[b, s]` to `[s, b, h]`.
    Embedding {
        /// Probability of dropping an element of the sum.
        dropout: f64,
    },
    /// Rows by number: parameter `weight`.
    Lookup,
    /// `layers`, then `final_layernorm`.
    TransformerBlock,
    /// Children are numbered from `0` and run one after another.
    Layers,
    /// `x + self_attention(x)`, then `x + mlp(x)`; each part begins with its norm.
    TransformerLayer {
        /// Probability of dropping an element of what is added to the residual stream.
        hidden_dropout: f64,
    },
    /// `linear_qkv` (norm included), optional `q_layernorm` and `k_layernorm` over each head, `core_attention`,
    /// `linear_proj`. Rows of `linear_qkv` are grouped by query group: its queries, then its key, then its value.
    SelfAttention {
        /// Query heads.
        heads: u64,
        /// Key-value heads (query groups); divides `heads`.
        groups: u64,
        /// Width of a head.
        head_dim: u64,
    },
    /// Softmax attention over heads.
    CoreAttention {
        /// Who sees whom.
        mask: AttentionMask,
        /// Factor on the scores before softmax.
        scale: f64,
        /// Probability of dropping an attention weight.
        dropout: f64,
        /// The library that computes it on the target.
        implementation: String,
    },
    /// `linear_fc1` (norm included), activation, `linear_fc2`.
    Mlp {
        /// Between the two linear maps.
        activation: Activation,
    },
    /// `y = x W^T (+ b)`: parameters `weight` `[out, in]` and `bias` `[out]`; with `norm`, first the norm of `x`
    /// (parameters `layer_norm_weight`, `layer_norm_bias`).
    Linear {
        /// Width of the input.
        input: u64,
        /// Width of the output.
        output: u64,
        /// The norm fused in front of it.
        norm: Option<Norm>,
        /// Whether a `bias` is added.
        bias: bool,
    },
    /// A norm by itself: parameters `weight`, `bias`.
    Norm(Norm),
}

/// Rotary position embedding (Su et al. 2021, arXiv 2104.09864).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rotary {
    /// Leading elements of each head that are rotated.
    pub dim: u64,
    /// Base of the frequencies.
    pub base: f64,
    /// Pairs are neighbours (`true`) or the two halves (`false`).
    pub interleaved: bool,
}

/// A normalization over the last axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Norm {
    /// Which one.
    pub norm: NormKind,
    /// Added to the variance.
    pub epsilon: f64,
    /// The weight is stored as its distance from 1 ("1p").
    pub zero_centered: bool,
}

/// The kinds of normalization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NormKind {
    /// Mean and variance (Ba et al. 2016, arXiv 1607.06450): weight and bias.
    LayerNorm,
    /// Root mean square (Zhang and Sennrich 2019, arXiv 1910.07467): weight alone.
    RmsNorm,
}

/// What stands between the two linear maps of an MLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// `silu(gate) * up`; `linear_fc1` holds the rows of gate, then those of up.
    Swiglu,
    /// Gaussian error linear unit; Megatron's default is the tanh form.
    Gelu,
    /// `max(x, 0)^2`.
    SquaredRelu,
}

/// A trainable tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name within its module: `weight`.
    pub name: String,
    /// Its whole shape.
    pub shape: Vec<u64>,
    /// The type it is kept in.
    pub dtype: Dtype,
    /// What tensor parallelism does with it.
    pub sharding: Sharding,
    /// Its first values.
    pub init: Init,
    /// Whether weight decay applies. Megatron exempts biases and all one-dimensional parameters.
    pub decays: bool,
}

/// Element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dtype {
    /// IEEE single precision, 4 bytes.
    Float32,
    /// IEEE half precision, 2 bytes.
    Float16,
    /// bfloat16, 2 bytes.
    Bfloat16,
}

impl Dtype {
    /// Bytes of one element.
    pub fn bytes(self) -> u64 {
        match self {
            Dtype::Float32 => 4,
            Dtype::Float16 | Dtype::Bfloat16 => 2,
        }
    }
}

/// How tensor-parallel ranks share a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharding {
    /// Every rank keeps all of it.
    Replicated,
    /// Cut along the first axis (column-parallel weights, vocabulary rows).
    Rows,
    /// Cut along the second axis (row-parallel weights).
    Columns,
}

/// First values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Init {
    /// Normal around 0.
    Normal {
        /// Standard deviation.
        std: f64,
    },
    /// All ones.
    Ones,
    /// All zeros.
    Zeros,
}

impl Parameter {
    /// Its number of elements.
    pub fn elements(&self) -> u64 {
        self.shape.iter().product()
    }
}

impl Node {
    /// Elements of all parameters of this module and its parts.
    pub fn parameter_count(&self) -> u64 {
        let own: u64 = self.parameters.iter().map(Parameter::elements).sum();
        own + self.children.iter().map(Node::parameter_count).sum::<u64>()
    }

    /// The part of that name.
    pub fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Calls `visit` with the full dotted name and each parameter, parents before parts, in registration order.
    pub fn for_each_parameter<'a>(&'a self, visit: &mut dyn FnMut(String, &'a Parameter)) {
        fn walk<'a>(node: &'a Node, path: &str, visit: &mut dyn FnMut(String, &'a Parameter)) {
            let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            for parameter in &node.parameters {
                visit(join(&parameter.name), parameter);
            }
            for child in &node.children {
                walk(child, &join(&child.name), visit);
            }
        }
        walk(self, &self.name, visit);
    }
}
