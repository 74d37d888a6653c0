//! The network that MegaDLMs builds from its arguments with the Transformer Engine specification: names, order and
//! shapes are those that its own construction registers.

mod layer;
mod parameters;

use crate::base::SourceMap;
use crate::check::Experiment;
use crate::diag::Sink;
use crate::lower::errors;
use crate::lower::fields::{Known, Network};
use crate::lower::words::{self, PositionEmbedding, TransformerImpl};
use crate::spec::Cause;
use crate::spec::attention::AttentionMask;
use crate::spec::graph::{
    Activation, Axis, Dims, Dtype, LayerGraph, Module, Node, Norm, NormKind, Rotary, Shape, Sharding,
};

/// The network of an experiment. None if something stands in its way, which was reported.
pub fn graph(experiment: &Experiment, sources: &SourceMap, sink: &mut Sink) -> Option<LayerGraph> {
    let network = Network::read(experiment, sources, sink)?;
    let plan = Blueprint::of(&network, sink)?;
    let dims = Dims {
        sequence: *network.seq_length,
        micro_batch: *network.micro_batch_size,
        hidden: plan.hidden,
        padded_vocab: plan.padded_vocab,
        vocab: *network.vocab_size,
    };
    Some(LayerGraph { dims, root: plan.model() })
}

/// Everything that the nodes are made from, worked out and within bounds.
struct Blueprint<'a> {
    network: &'a Network,
    hidden: u64,
    ffn: u64,
    heads: u64,
    /// Key and value heads.
    groups: u64,
    head_dim: u64,
    layers: u64,
    padded_vocab: u64,
    dtype: Dtype,
    norm: Norm,
    activation: Activation,
    mask: AttentionMask,
}

/// Beyond this a width, a number of heads or of layers is a mistake; products of three of them fit a machine number.
const LARGEST_SIZE: u64 = 1 << 20;
/// Each layer is a dozen nodes in memory.
const MOST_LAYERS: u64 = 1 << 13;
const MOST_PARAMETERS: u128 = 1 << 62;

impl<'a> Blueprint<'a> {
    fn of(network: &'a Network, sink: &mut Sink) -> Option<Self> {
        let mut fits = true;
        for (size, most) in [
            (&network.num_layers, MOST_LAYERS),
            (&network.hidden_size, LARGEST_SIZE),
            (&network.ffn_hidden_size, LARGEST_SIZE),
            (&network.num_attention_heads, LARGEST_SIZE),
            (&network.num_query_groups, LARGEST_SIZE),
            (&network.kv_channels, LARGEST_SIZE),
            (&network.padded_vocab_size, 1 << 32),
            (&network.vocab_size, 1 << 32),
            (&network.max_position_embeddings, 1 << 32),
        ] {
            fits &= within(size, most, sink);
        }
        let mask = mask(network, sink);
        if *network.transformer_impl == TransformerImpl::Local {
            let message = "the graph knows the modules of Transformer Engine, not those of `transformer_impl = local`";
            let help = "they are causal whatever the mask, and MegaDLMs cannot train diffusion models with them";
            sink.push(errors::unsupported(network.transformer_impl.span, message, Some(help)));
            fits = false;
        }
        if !fits {
            return None;
        }
        let zero_centered = *network.apply_layernorm_1p;
        let norm = match *network.normalization {
            words::Normalization::LayerNorm => NormKind::LayerNorm,
            words::Normalization::RmsNorm => NormKind::RmsNorm,
        };
        let heads = *network.num_attention_heads;
        let plan = Blueprint {
            hidden: *network.hidden_size,
            ffn: *network.ffn_hidden_size,
            heads,
            groups: if *network.group_query_attention { *network.num_query_groups } else { heads },
            head_dim: *network.kv_channels,
            layers: *network.num_layers,
            padded_vocab: *network.padded_vocab_size,
            dtype: match (*network.fp16, *network.bf16) {
                (true, _) => Dtype::Float16,
                (false, true) => Dtype::Bfloat16,
                (false, false) => Dtype::Float32,
            },
            norm: Norm { norm, epsilon: *network.norm_epsilon, zero_centered },
            activation: match (*network.swiglu, *network.squared_relu) {
                (true, _) => Activation::Swiglu,
                (false, true) => Activation::SquaredRelu,
                (false, false) => Activation::Gelu,
            },
            mask: mask?,
            network,
        };
        if plan.parameters() > MOST_PARAMETERS {
            sink.push(errors::too_many_parameters(network.hidden_size.span));
            return None;
        }
        Some(plan)
    }

    /// An upper bound of the number of parameters: biases and norms counted as if all were there.
    fn parameters(&self) -> u128 {
        let wide = |value: u64| u128::from(value);
        let heads = (wide(self.heads) + 2 * wide(self.groups)) * wide(self.head_dim);
        let attention = (heads + wide(self.heads) * wide(self.head_dim)) * (wide(self.hidden) + 1);
        let mlp = 3 * wide(self.ffn) * (wide(self.hidden) + 1);
        let layer = attention + mlp + 8 * wide(self.hidden) + 4 * wide(self.head_dim);
        let rows = 2 * wide(self.padded_vocab) + wide(*self.network.max_position_embeddings);
        wide(self.layers) * layer + rows * wide(self.hidden)
    }

    fn model(&self) -> Node {
        let network = self.network;
        let rotary = match *network.position_embedding_type {
            PositionEmbedding::Rotary => Some(self.rotary()),
            PositionEmbedding::Learned | PositionEmbedding::Nothing => None,
        };
        let mut causes = causes(&[&network.position_embedding_type.cause, &network.untied.cause]);
        if rotary.is_some() {
            causes.extend(self::causes(&[&network.rotary_base.cause, &network.rotary_percent.cause]));
        }
        Node {
            name: String::new(),
            class: "GPTModel".to_owned(),
            module: Module::GptModel { tied_head: !*network.untied, rotary },
            parameters: Vec::new(),
            input: tokens(),
            output: shape(&["s", "b", "v"]),
            children: vec![self.embedding(), self.decoder(), self.output_layer()],
            causes,
        }
    }

    fn rotary(&self) -> Rotary {
        let percent = *self.network.rotary_percent;
        // Megatron: `int(kv_channels * rotary_percent)`, if less than all.
        #[expect(clippy::cast_precision_loss, reason = "a head is at most 2^20 wide")]
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of it, rounded down")]
        let part = (self.head_dim as f64 * percent) as u64;
        let dim = if percent < 1.0 { part } else { self.head_dim };
        Rotary { dim, base: *self.network.rotary_base, interleaved: *self.network.rotary_interleaved }
    }

    fn embedding(&self) -> Node {
        let network = self.network;
        let words = Node {
            name: "word_embeddings".to_owned(),
            class: "VocabParallelEmbedding".to_owned(),
            module: Module::Lookup,
            parameters: vec![self.weight("weight", &[self.padded_vocab, self.hidden], Sharding::Rows)],
            input: tokens(),
            output: shape(&["b", "s", "h"]),
            children: Vec::new(),
            causes: causes(&[
                &network.vocab_size.cause,
                &network.padded_vocab_size.cause,
                &network.hidden_size.cause,
                &network.init_method_std.cause,
            ]),
        };
        let rows = *network.max_position_embeddings;
        let positions = || Node {
            name: "position_embeddings".to_owned(),
            class: "Embedding".to_owned(),
            module: Module::Lookup,
            parameters: vec![self.weight("weight", &[rows, self.hidden], Sharding::Replicated)],
            input: tokens(),
            output: shape(&["b", "s", "h"]),
            children: Vec::new(),
            causes: causes(&[
                &network.position_embedding_type.cause,
                &network.max_position_embeddings.cause,
                &network.hidden_size.cause,
                &network.init_method_std.cause,
            ]),
        };
        let learned = *network.position_embedding_type == PositionEmbedding::Learned;
        Node {
            name: "embedding".to_owned(),
            class: "LanguageModelEmbedding".to_owned(),
            module: Module::Embedding { dropout: *network.hidden_dropout },
            parameters: Vec::new(),
            input: tokens(),
            output: stream(),
            children: std::iter::once(words).chain(learned.then(positions)).collect(),
            causes: causes(&[&network.hidden_dropout.cause]),
        }
    }

    fn decoder(&self) -> Node {
        let network = self.network;
        let layers = Node {
            name: "layers".to_owned(),
            class: "ModuleList".to_owned(),
            module: Module::Layers,
            parameters: Vec::new(),
            input: stream(),
            output: stream(),
            children: (0..self.layers).map(|number| self.layer(number)).collect(),
            causes: causes(&[&network.num_layers.cause]),
        };
        Node {
            name: "decoder".to_owned(),
            class: "DiffLMTransformerBlock".to_owned(),
            module: Module::TransformerBlock,
            parameters: Vec::new(),
            input: stream(),
            output: stream(),
            children: vec![layers, self.norm_over("final_layernorm", self.hidden, stream())],
            causes: causes(&[&network.num_layers.cause]),
        }
    }

    /// The map to logits. Where it uses the embedding's rows it is there all the same, without a weight.
    fn output_layer(&self) -> Node {
        let network = self.network;
        let weight = || self.weight("weight", &[self.padded_vocab, self.hidden], Sharding::Rows);
        Node {
            name: "output_layer".to_owned(),
            class: "ColumnParallelLinear".to_owned(),
            module: Module::Linear { input: self.hidden, output: self.padded_vocab, norm: None, bias: false },
            parameters: network.untied.then(weight).into_iter().collect(),
            input: stream(),
            output: shape(&["s", "b", "v"]),
            children: Vec::new(),
            causes: causes(&[&network.untied.cause, &network.padded_vocab_size.cause, &network.hidden_size.cause]),
        }
    }
}

/// Who sees whom while the model trains.
fn mask(network: &Network, sink: &mut Sink) -> Option<AttentionMask> {
    match (*network.mode, *network.attention_mask) {
        // MegaDLMs makes every layer causal for this mode, whatever mask is set.
        (words::RunningMode::Autoregressive, _) => Some(AttentionMask::Causal),
        (words::RunningMode::MaskedDiffusion | words::RunningMode::TestForward, mask) => match mask {
            words::AttentionMask::Bidirectional => Some(AttentionMask::Bidirectional),
            words::AttentionMask::Causal => Some(AttentionMask::Causal),
            words::AttentionMask::BlockCausal => {
                let message = "MegaDLMs names the mask `block_causal` but has no argument for the size of its blocks";
                let help = "no kernel of this MegaDLMs computes it either; choose `no_mask`";
                sink.push(errors::unsupported(network.attention_mask.span, message, Some(help)));
                None
            }
        },
    }
}

fn within(size: &Known<u64>, most: u64, sink: &mut Sink) -> bool {
    let fits = **size <= most;
    if !fits {
        let wanted = format!("a size up to {most}");
        sink.push(errors::too_large(size.span, &size.cause.field, &size.to_string(), &wanted));
    }
    fits
}

fn causes(all: &[&Cause]) -> Vec<Cause> {
    all.iter().map(|&cause| cause.clone()).collect()
}

fn shape(axes: &[&str]) -> Shape {
    Shape(axes.iter().map(|&axis| Axis::Symbol(axis.to_owned())).collect())
}

/// Token numbers as they enter.
fn tokens() -> Shape {
    shape(&["b", "s"])
}

/// The residual stream.
fn stream() -> Shape {
    shape(&["s", "b", "h"])
}

/// `[s, b, size]`
fn features(size: u64) -> Shape {
    let mut shape = shape(&["s", "b"]);
    shape.0.push(Axis::Size(size));
    shape
}
