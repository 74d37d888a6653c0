//! Layer graphs for tests, made from a few sizes as the lowering makes them from an experiment.

use dlm::spec::LayerGraph;
use dlm::spec::attention::AttentionMask;
use dlm::spec::graph::{
    Activation, Dims, Dtype, Init, Module, Node, Norm, NormKind, Parameter, Rotary, Shape, Sharding,
};
use serde::Deserialize;

/// The sizes and kinds of a small decoder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sizes {
    pub(crate) layers: u64,
    pub(crate) hidden: u64,
    pub(crate) heads: u64,
    pub(crate) groups: u64,
    pub(crate) head_dim: u64,
    pub(crate) ffn: u64,
    pub(crate) vocab: u64,
    pub(crate) padded_vocab: u64,
    /// Tokens of a sample; also the rows of a learned position table.
    pub(crate) sequence: u64,
    pub(crate) norm: NormKind,
    pub(crate) zero_centered: bool,
    pub(crate) epsilon: f64,
    pub(crate) qk_norm: bool,
    pub(crate) bias: bool,
    pub(crate) activation: Activation,
    pub(crate) mask: AttentionMask,
    pub(crate) rotary: Option<Rotary>,
    pub(crate) learned_positions: bool,
    pub(crate) tied: bool,
    #[serde(default)]
    pub(crate) dropout: f64,
}

impl Sizes {
    /// Two layers of everything that is usual: grouped queries, norms of queries and keys, SwiGLU, an untied head.
    pub(crate) fn usual() -> Sizes {
        Sizes {
            layers: 2,
            hidden: 32,
            heads: 4,
            groups: 2,
            head_dim: 8,
            ffn: 48,
            vocab: 259,
            padded_vocab: 384,
            sequence: 16,
            norm: NormKind::RmsNorm,
            zero_centered: false,
            epsilon: 1e-5,
            qk_norm: true,
            bias: false,
            activation: Activation::Swiglu,
            mask: AttentionMask::Bidirectional,
            rotary: Some(Rotary { dim: 8, base: 10_000.0, interleaved: false }),
            learned_positions: false,
            tied: false,
            dropout: 0.0,
        }
    }

    /// The graph of these sizes.
    pub(crate) fn graph(&self) -> LayerGraph {
        let layers = (0..self.layers).map(|number| self.layer(number)).collect();
        let decoder = vec![
            node("layers", "ModuleList", Module::Layers, Vec::new(), layers),
            self.norm_node("final_layernorm", self.hidden),
        ];
        let mut parts = vec![self.embedding(), node("decoder", "Block", Module::TransformerBlock, Vec::new(), decoder)];
        if !self.tied {
            parts.push(self.linear("output_layer", self.hidden, self.padded_vocab, false, Some(false)));
        }
        let model = Module::GptModel { tied_head: self.tied, rotary: self.rotary };
        let dims = Dims {
            sequence: self.sequence,
            micro_batch: 1,
            hidden: self.hidden,
            padded_vocab: self.padded_vocab,
            vocab: self.vocab,
        };
        LayerGraph { dims, root: node("", "GPTModel", model, Vec::new(), parts) }
    }

    fn embedding(&self) -> Node {
        let table = |name: &str, rows: u64| {
            let weight = vec![weight("weight", &[rows, self.hidden], Init::Normal { std: 0.02 })];
            node(name, "Embedding", Module::Lookup, weight, Vec::new())
        };
        let mut tables = vec![table("word_embeddings", self.padded_vocab)];
        if self.learned_positions {
            tables.push(table("position_embeddings", self.sequence));
        }
        node("embedding", "Embedding", Module::Embedding { dropout: self.dropout }, Vec::new(), tables)
    }

    fn layer(&self, number: u64) -> Node {
        let (mixed, joined) = ((self.heads + 2 * self.groups) * self.head_dim, self.heads * self.head_dim);
        let core = Module::CoreAttention {
            mask: self.mask,
            scale: (self.head_dim as f64).powf(-0.5),
            dropout: self.dropout,
            implementation: "TEDotProductAttention".into(),
        };
        let mut attention = vec![
            node("core_attention", "CoreAttention", core, Vec::new(), Vec::new()),
            self.linear("linear_proj", joined, self.hidden, false, None),
            self.linear("linear_qkv", self.hidden, mixed, true, None),
        ];
        if self.qk_norm {
            attention.push(self.norm_node("q_layernorm", self.head_dim));
            attention.push(self.norm_node("k_layernorm", self.head_dim));
        }
        let kind = Module::SelfAttention { heads: self.heads, groups: self.groups, head_dim: self.head_dim };
        let self_attention = node("self_attention", "DiffLMSelfAttention", kind, Vec::new(), attention);
        let wide = if self.activation == Activation::Swiglu { 2 * self.ffn } else { self.ffn };
        let maps = vec![
            self.linear("linear_fc1", self.hidden, wide, true, None),
            self.linear("linear_fc2", self.ffn, self.hidden, false, None),
        ];
        let mlp = node("mlp", "MLP", Module::Mlp { activation: self.activation }, Vec::new(), maps);
        let kind = Module::TransformerLayer { hidden_dropout: self.dropout };
        node(&number.to_string(), "DiffLMTransformerLayer", kind, Vec::new(), vec![self_attention, mlp])
    }

    fn linear(&self, name: &str, input: u64, output: u64, normed: bool, bias: Option<bool>) -> Node {
        let bias = bias.unwrap_or(self.bias);
        let norm = normed.then(|| self.norm_spec());
        let mut parameters = Vec::new();
        if normed {
            parameters.extend(self.norm_parameters(["layer_norm_weight", "layer_norm_bias"], input));
        }
        parameters.push(weight("weight", &[output, input], Init::Normal { std: 0.02 }));
        if bias {
            parameters.push(vector("bias", output, Init::Zeros));
        }
        node(name, "Linear", Module::Linear { input, output, norm, bias }, parameters, Vec::new())
    }

    fn norm_node(&self, name: &str, width: u64) -> Node {
        let parameters = self.norm_parameters(["weight", "bias"], width);
        node(name, "Norm", Module::Norm(self.norm_spec()), parameters, Vec::new())
    }

    fn norm_parameters(&self, [weight, bias]: [&str; 2], width: u64) -> Vec<Parameter> {
        let mut parameters = vec![vector(weight, width, if self.zero_centered { Init::Zeros } else { Init::Ones })];
        if self.norm == NormKind::LayerNorm {
            parameters.push(vector(bias, width, Init::Zeros));
        }
        parameters
    }

    fn norm_spec(&self) -> Norm {
        Norm { norm: self.norm, epsilon: self.epsilon, zero_centered: self.zero_centered }
    }
}

fn node(name: &str, class: &str, module: Module, parameters: Vec<Parameter>, children: Vec<Node>) -> Node {
    let shape = || Shape(Vec::new());
    Node {
        name: name.into(),
        class: class.into(),
        module,
        parameters,
        input: shape(),
        output: shape(),
        children,
        causes: Vec::new(),
    }
}

fn weight(name: &str, shape: &[u64], init: Init) -> Parameter {
    let (shape, dtype) = (shape.to_vec(), Dtype::Bfloat16);
    Parameter { name: name.into(), shape, dtype, sharding: Sharding::Rows, init, decays: true }
}

fn vector(name: &str, width: u64, init: Init) -> Parameter {
    Parameter { decays: false, sharding: Sharding::Replicated, ..weight(name, &[width], init) }
}
