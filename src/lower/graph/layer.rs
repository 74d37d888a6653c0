//! One transformer layer: attention and MLP, each beginning with the norm that is fused into its first linear map.

use crate::lower::graph::{Blueprint, causes, features, stream};
use crate::lower::words::CoreAttention;
use crate::spec::Cause;
use crate::spec::graph::{Activation, Axis, Module, Node, Norm, Parameter, Shape, Sharding};

/// A linear map and what becomes of its ends.
struct Map {
    name: &'static str,
    class: &'static str,
    input: u64,
    output: u64,
    norm: Option<Norm>,
    parameters: Vec<Parameter>,
    entering: Shape,
    leaving: Shape,
    causes: Vec<Cause>,
}

impl Blueprint<'_> {
    pub(super) fn layer(&self, number: u64) -> Node {
        let network = self.network;
        Node {
            name: number.to_string(),
            class: "DiffLMTransformerLayer".to_owned(),
            module: Module::TransformerLayer { hidden_dropout: *network.hidden_dropout },
            parameters: Vec::new(),
            input: stream(),
            output: stream(),
            children: vec![self.self_attention(), self.mlp()],
            causes: causes(&[&network.hidden_dropout.cause]),
        }
    }

    /// Parts in the order in which MegaDLMs registers them: `linear_proj` before `linear_qkv`.
    fn self_attention(&self) -> Node {
        let network = self.network;
        let mut children = vec![self.core_attention(), self.linear_proj(), self.linear_qkv()];
        if *network.qk_layernorm {
            for (name, heads) in [("q_layernorm", self.heads), ("k_layernorm", self.groups)] {
                let mut shape = features(heads);
                shape.0.push(Axis::Size(self.head_dim));
                let mut norm = self.norm_over(name, self.head_dim, shape);
                norm.causes.push(network.qk_layernorm.cause.clone());
                children.push(norm);
            }
        }
        let mut causes = causes(&[&network.num_attention_heads.cause, &network.kv_channels.cause]);
        if *network.group_query_attention {
            causes.push(network.num_query_groups.cause.clone());
        }
        let (heads, groups, head_dim) = (self.heads, self.groups, self.head_dim);
        Node {
            name: "self_attention".to_owned(),
            class: "DiffLMSelfAttention".to_owned(),
            module: Module::SelfAttention { heads, groups, head_dim },
            parameters: Vec::new(),
            input: stream(),
            output: stream(),
            children,
            causes,
        }
    }

    fn core_attention(&self) -> Node {
        let network = self.network;
        let (class, implementation) = match *network.core_attention {
            CoreAttention::TransformerEngine => ("TEDotProductAttention", network.attention_backend.word()),
            CoreAttention::Flex => ("TorchFlexAttention", "flex"),
        };
        #[expect(clippy::cast_precision_loss, reason = "a head is at most 2^20 wide")]
        let scale = 1.0 / (self.head_dim as f64).sqrt();
        let width = self.heads * self.head_dim;
        Node {
            name: "core_attention".to_owned(),
            class: class.to_owned(),
            module: Module::CoreAttention {
                mask: self.mask,
                scale,
                dropout: *network.attention_dropout,
                implementation: implementation.to_owned(),
            },
            parameters: Vec::new(),
            input: features(width),
            output: features(width),
            children: Vec::new(),
            causes: causes(&[
                &network.attention_mask.cause,
                &network.mode.cause,
                &network.core_attention.cause,
                &network.attention_backend.cause,
                &network.attention_dropout.cause,
            ]),
        }
    }

    fn linear_qkv(&self) -> Node {
        let network = self.network;
        let output = (self.heads + 2 * self.groups) * self.head_dim;
        let mut parameters = self.norm_parameters("layer_norm_", self.hidden);
        parameters.push(self.weight("weight", &[output, self.hidden], Sharding::Rows));
        // MegaDLMs turns this bias on by itself where all linear maps have one.
        if *network.add_bias_linear || *network.add_qkv_bias {
            parameters.push(self.bias("bias", output, Sharding::Rows));
        }
        linear(Map {
            name: "linear_qkv",
            class: "TELayerNormColumnParallelLinear",
            input: self.hidden,
            output,
            norm: Some(self.norm),
            parameters,
            entering: stream(),
            leaving: features(output),
            causes: causes(&[
                &network.num_attention_heads.cause,
                &network.kv_channels.cause,
                &network.hidden_size.cause,
                &network.add_qkv_bias.cause,
                &network.normalization.cause,
            ]),
        })
    }

    fn linear_proj(&self) -> Node {
        let network = self.network;
        let input = self.heads * self.head_dim;
        linear(Map {
            name: "linear_proj",
            class: "TERowParallelLinear",
            input,
            output: self.hidden,
            norm: None,
            parameters: self.row_parallel(input),
            entering: features(input),
            leaving: stream(),
            causes: causes(&[
                &network.num_attention_heads.cause,
                &network.kv_channels.cause,
                &network.hidden_size.cause,
                &network.add_bias_linear.cause,
            ]),
        })
    }

    fn mlp(&self) -> Node {
        let network = self.network;
        // Gate and value lie one above the other.
        let fc1 = match self.activation {
            Activation::Swiglu => 2 * self.ffn,
            Activation::Gelu | Activation::SquaredRelu => self.ffn,
        };
        let mut parameters = self.norm_parameters("layer_norm_", self.hidden);
        parameters.push(self.weight("weight", &[fc1, self.hidden], Sharding::Rows));
        if *network.add_bias_linear {
            parameters.push(self.bias("bias", fc1, Sharding::Rows));
        }
        let linear_fc1 = linear(Map {
            name: "linear_fc1",
            class: "TELayerNormColumnParallelLinear",
            input: self.hidden,
            output: fc1,
            norm: Some(self.norm),
            parameters,
            entering: stream(),
            leaving: features(fc1),
            causes: causes(&[
                &network.ffn_hidden_size.cause,
                &network.hidden_size.cause,
                &network.swiglu.cause,
                &network.add_bias_linear.cause,
                &network.normalization.cause,
            ]),
        });
        let linear_fc2 = linear(Map {
            name: "linear_fc2",
            class: "TERowParallelLinear",
            input: self.ffn,
            output: self.hidden,
            norm: None,
            parameters: self.row_parallel(self.ffn),
            entering: features(self.ffn),
            leaving: stream(),
            causes: causes(&[
                &network.ffn_hidden_size.cause,
                &network.hidden_size.cause,
                &network.add_bias_linear.cause,
            ]),
        });
        Node {
            name: "mlp".to_owned(),
            class: "MLP".to_owned(),
            module: Module::Mlp { activation: self.activation },
            parameters: Vec::new(),
            input: stream(),
            output: stream(),
            children: vec![linear_fc1, linear_fc2],
            causes: causes(&[&network.swiglu.cause, &network.squared_relu.cause, &network.ffn_hidden_size.cause]),
        }
    }

    /// A map back into the residual stream. Its bias is added once, after ranks have summed, so each keeps all of it.
    fn row_parallel(&self, input: u64) -> Vec<Parameter> {
        let weight = self.residual_weight("weight", &[self.hidden, input], Sharding::Columns);
        let bias = || self.bias("bias", self.hidden, Sharding::Replicated);
        std::iter::once(weight).chain(self.network.add_bias_linear.then(bias)).collect()
    }

    /// A norm that is a module of its own.
    pub(super) fn norm_over(&self, name: &str, size: u64, shape: Shape) -> Node {
        Node {
            name: name.to_owned(),
            class: "TENorm".to_owned(),
            module: Module::Norm(self.norm),
            parameters: self.norm_parameters("", size),
            input: shape.clone(),
            output: shape,
            children: Vec::new(),
            causes: causes(&[&self.network.normalization.cause, &self.network.norm_epsilon.cause]),
        }
    }
}

fn linear(map: Map) -> Node {
    Node {
        name: map.name.to_owned(),
        class: map.class.to_owned(),
        module: Module::Linear {
            input: map.input,
            output: map.output,
            norm: map.norm,
            bias: map.parameters.iter().any(|parameter| parameter.name == "bias"),
        },
        parameters: map.parameters,
        input: map.entering,
        output: map.leaving,
        children: Vec::new(),
        causes: map.causes,
    }
}
