//! From a layer graph to parts: one `match` over node kinds.

use tch::Tensor;

use crate::run::RunError;
use crate::run::model::parts::{
    CoreAttention, Embedding, GptModel, Linear, Mlp, Norm, SelfAttention, Site, TransformerBlock, TransformerLayer,
    Weight,
};
use crate::run::model::{NamedParameter, SINGLE};
use crate::run::random::{Purpose, Stream, name_key};
use crate::spec::LayerGraph;
use crate::spec::graph::{Activation, Init, Module, Node, NormKind, Parameter};

/// Builds the network and its parameters, in the order of the graph.
pub(super) fn network(graph: &LayerGraph, seed: u64) -> Result<(GptModel, Vec<NamedParameter>), RunError> {
    let mut builder = Builder { seed, parameters: Vec::new(), sites: 0 };
    let Part::GptModel(model) = builder.part(&graph.root, &graph.root.name)? else {
        return Err(refused(&graph.root, &graph.root.name, "the root must be a `gpt_model`".into()));
    };
    let rows = model.embedding_rows()?;
    if i64::try_from(graph.dims.vocab).map_or(true, |vocab| vocab > rows) {
        let what = format!("the vocabulary ({}) is larger than the embedding ({rows} rows)", graph.dims.vocab);
        return Err(refused(&graph.root, &graph.root.name, what));
    }
    Ok((*model, builder.parameters))
}

struct Builder {
    seed: u64,
    parameters: Vec<NamedParameter>,
    /// Places of dropout so far.
    sites: u32,
}

/// A built module.
enum Part {
    GptModel(Box<GptModel>),
    Embedding(Embedding),
    Lookup(Weight),
    TransformerBlock(TransformerBlock),
    Layers(Vec<TransformerLayer>),
    TransformerLayer(Box<TransformerLayer>),
    SelfAttention(Box<SelfAttention>),
    CoreAttention(CoreAttention),
    Mlp(Mlp),
    Linear(Linear),
    Norm(Norm),
}

impl Builder {
    fn part(&mut self, node: &Node, path: &str) -> Result<Part, RunError> {
        let mut own = self.own(node, path)?;
        let part = match &node.module {
            Module::GptModel { tied_head, rotary } => {
                let embedding = own.embedding("embedding")?;
                let decoder = own.block("decoder")?;
                let output_layer = if *tied_head { None } else { Some(own.linear("output_layer")?) };
                let (rows, hidden) = embedding.words.tensor.size2()?;
                if let Some(head) = &output_layer {
                    own.demand(head.weight.tensor.size2()? == (rows, hidden), || {
                        format!("the output layer must be [{rows}, {hidden}], as the embedding is")
                    })?;
                }
                let mut narrow = decoder.layers.iter().map(|layer| layer.self_attention.head_dim).collect::<Vec<_>>();
                narrow.sort_unstable();
                if let (Some(rotary), Some(head_dim)) = (rotary, narrow.first()) {
                    let fits = rotary.dim > 0 && rotary.dim % 2 == 0 && rotary.dim <= *head_dim as u64;
                    own.demand(fits && rotary.base > 0.0, || {
                        format!("rotary dimension {} of a head of {head_dim}, base {}", rotary.dim, rotary.base)
                    })?;
                }
                for layer in &decoder.layers {
                    let width = layer.self_attention.linear_qkv.weight.tensor.size2()?.1;
                    own.demand(width == hidden, || format!("`{}` works on {width}, not on {hidden}", layer.path))?;
                }
                Part::GptModel(Box::new(GptModel { embedding, decoder, output_layer, rotary: *rotary }))
            }
            Module::Embedding { dropout } => {
                let dropout = self.site(&own, "dropout", *dropout)?;
                let words = own.lookup("word_embeddings")?;
                let positions =
                    if own.has("position_embeddings") { Some(own.lookup("position_embeddings")?) } else { None };
                if let Some(table) = &positions {
                    let width = words.tensor.size2()?.1;
                    own.demand(table.tensor.size2()?.1 == width, || format!("learned positions must be {width} wide"))?;
                }
                Part::Embedding(Embedding { words, positions, dropout })
            }
            Module::Lookup => {
                let weight = own.tensor("weight")?;
                own.demand(weight.tensor.dim() == 2, || "`weight` must have two axes".into())?;
                Part::Lookup(weight)
            }
            Module::TransformerBlock => {
                let layers = own.layers("layers")?;
                let norm = if own.has("final_layernorm") { Some(own.norm("final_layernorm")?) } else { None };
                Part::TransformerBlock(TransformerBlock { layers, final_layernorm: norm })
            }
            Module::Layers => {
                let layers = (0..node.children.len()).map(|number| own.layer(&number.to_string()));
                Part::Layers(layers.collect::<Result<_, _>>()?)
            }
            Module::TransformerLayer { hidden_dropout } => {
                let attention_dropout = self.site(&own, "hidden_dropout", *hidden_dropout)?;
                let mlp_dropout = self.site(&own, "hidden_dropout", *hidden_dropout)?;
                let self_attention = own.self_attention("self_attention")?;
                let mlp = own.mlp("mlp")?;
                let hidden = self_attention.linear_qkv.weight.tensor.size2()?.1;
                for (linear, width) in [
                    ("self_attention.linear_proj", self_attention.linear_proj.weight.tensor.size2()?.0),
                    ("mlp.linear_fc1", mlp.linear_fc1.weight.tensor.size2()?.1),
                    ("mlp.linear_fc2", mlp.linear_fc2.weight.tensor.size2()?.0),
                ] {
                    own.demand(width == hidden, || format!("`{linear}` works on {width}, not on {hidden}"))?;
                }
                Part::TransformerLayer(Box::new(TransformerLayer {
                    path: path.to_owned(),
                    self_attention,
                    mlp,
                    attention_dropout,
                    mlp_dropout,
                }))
            }
            Module::SelfAttention { heads, groups, head_dim } => {
                let whole = *groups > 0 && *head_dim > 0 && *heads > 0 && heads % groups == 0;
                own.demand(whole, || format!("{heads} heads of {head_dim} in {groups} groups"))?;
                let (heads, groups) = (own.size(*heads)?, own.size(*groups)?);
                let head_dim = own.size(*head_dim)?;
                let linear_qkv = own.linear("linear_qkv")?;
                let q_layernorm = if own.has("q_layernorm") { Some(own.norm("q_layernorm")?) } else { None };
                let k_layernorm = if own.has("k_layernorm") { Some(own.norm("k_layernorm")?) } else { None };
                let core_attention = own.core("core_attention")?;
                let linear_proj = own.linear("linear_proj")?;
                let (mixed, joined) = ((heads + 2 * groups).saturating_mul(head_dim), heads.saturating_mul(head_dim));
                own.demand(linear_qkv.weight.tensor.size2()?.0 == mixed, || format!("`linear_qkv` must give {mixed}"))?;
                own.demand(linear_proj.weight.tensor.size2()?.1 == joined, || {
                    format!("`linear_proj` must take {joined}")
                })?;
                for norm in q_layernorm.iter().chain(&k_layernorm) {
                    own.demand(norm.weight.tensor.numel() as i64 == head_dim, || {
                        format!("norms of queries and keys must be {head_dim} wide")
                    })?;
                }
                Part::SelfAttention(Box::new(SelfAttention {
                    heads,
                    groups,
                    head_dim,
                    linear_qkv,
                    q_layernorm,
                    k_layernorm,
                    core_attention,
                    linear_proj,
                }))
            }
            Module::CoreAttention { mask, scale, dropout, implementation: _ } => {
                let dropout = self.site(&own, "dropout", *dropout)?;
                own.demand(scale.is_finite(), || format!("scale is {scale}"))?;
                Part::CoreAttention(CoreAttention { mask: *mask, scale: *scale, dropout })
            }
            Module::Mlp { activation } => {
                let linear_fc1 = own.linear("linear_fc1")?;
                let linear_fc2 = own.linear("linear_fc2")?;
                let (wide, taken) = (linear_fc1.weight.tensor.size2()?.0, linear_fc2.weight.tensor.size2()?.1);
                let parts = match activation {
                    Activation::Swiglu => 2,
                    Activation::Gelu | Activation::SquaredRelu => 1,
                };
                own.demand(wide == taken.saturating_mul(parts), || {
                    format!("`linear_fc1` gives {wide}, `linear_fc2` takes {taken}, the activation needs {parts} to 1")
                })?;
                Part::Mlp(Mlp { linear_fc1, activation: *activation, linear_fc2 })
            }
            Module::Linear { input, output, norm, bias } => {
                let (input, output) = (own.size(*input)?, own.size(*output)?);
                let norm = match norm {
                    Some(spec) => {
                        let (weight, bias) = own.norm_tensors("layer_norm_weight", "layer_norm_bias", spec.norm)?;
                        own.shape("layer_norm_weight", &weight, &[input])?;
                        Some(Norm { spec: *spec, weight, bias })
                    }
                    None => None,
                };
                let weight = own.tensor("weight")?;
                own.shape("weight", &weight, &[output, input])?;
                let bias = if *bias { Some(own.tensor("bias")?) } else { None };
                if let Some(bias) = &bias {
                    own.shape("bias", bias, &[output])?;
                }
                Part::Linear(Linear { norm, weight, bias })
            }
            Module::Norm(spec) => {
                let (weight, bias) = own.norm_tensors("weight", "bias", spec.norm)?;
                own.demand(weight.tensor.dim() == 1, || "`weight` must have one axis".into())?;
                Part::Norm(Norm { spec: *spec, weight, bias })
            }
        };
        own.nothing_left()?;
        Ok(part)
    }

    /// Numbers a place of dropout, in the order of the graph.
    fn site(&mut self, own: &Own<'_>, name: &str, probability: f64) -> Result<Site, RunError> {
        own.demand((0.0..1.0).contains(&probability), || {
            format!("{name} is {probability}, needed is 0 or more and below 1")
        })?;
        self.sites += 1;
        Ok(Site { number: self.sites, probability })
    }

    /// Makes the parameters of a node and builds its children.
    fn own<'a>(&mut self, node: &'a Node, path: &'a str) -> Result<Own<'a>, RunError> {
        let mut own = Own { node, path, tensors: Vec::new(), parts: Vec::new() };
        for parameter in &node.parameters {
            let name = joined(path, &parameter.name);
            let tensor = first_values(self.seed, &name, parameter).map_err(|error| error.within(&name))?;
            let index = self.parameters.len();
            self.parameters.push(NamedParameter { name, tensor: tensor.shallow_clone(), decays: parameter.decays });
            own.tensors.push((&parameter.name, Weight { index, tensor }));
        }
        let tied = matches!(node.module, Module::GptModel { tied_head: true, .. });
        for child in &node.children {
            // Megatron keeps the output layer as a module without a weight where it uses the embedding's.
            if tied && child.name == "output_layer" && child.parameter_count() == 0 {
                continue;
            }
            own.parts.push((&child.name, self.part(child, &joined(path, &child.name))?));
        }
        Ok(own)
    }
}

/// What a node owns and has not given away yet.
struct Own<'a> {
    node: &'a Node,
    path: &'a str,
    tensors: Vec<(&'a str, Weight)>,
    parts: Vec<(&'a str, Part)>,
}

/// Defines a method of [`Own`] that takes a child of one kind out by its name.
macro_rules! take {
    ($method:ident, $variant:ident, $result:ty, $kind:literal) => {
        fn $method(&mut self, name: &str) -> Result<$result, RunError> {
            match self.child(name)? {
                Part::$variant(part) => Ok(part),
                _ => Err(self.refused(format!(concat!("its part `{}` must be a `", $kind, "`"), name))),
            }
        }
    };
}

impl Own<'_> {
    take!(embedding, Embedding, Embedding, "embedding");
    take!(lookup, Lookup, Weight, "lookup");
    take!(block, TransformerBlock, TransformerBlock, "transformer_block");
    take!(layers, Layers, Vec<TransformerLayer>, "layers");
    take!(boxed_layer, TransformerLayer, Box<TransformerLayer>, "transformer_layer");
    take!(boxed_self_attention, SelfAttention, Box<SelfAttention>, "self_attention");
    take!(core, CoreAttention, CoreAttention, "core_attention");
    take!(mlp, Mlp, Mlp, "mlp");
    take!(linear, Linear, Linear, "linear");
    take!(norm, Norm, Norm, "norm");

    fn layer(&mut self, name: &str) -> Result<TransformerLayer, RunError> {
        Ok(*self.boxed_layer(name)?)
    }

    fn self_attention(&mut self, name: &str) -> Result<SelfAttention, RunError> {
        Ok(*self.boxed_self_attention(name)?)
    }

    fn child(&mut self, name: &str) -> Result<Part, RunError> {
        match self.parts.iter().position(|(known, _)| *known == name) {
            Some(at) => Ok(self.parts.remove(at).1),
            None => Err(self.refused(format!("it has no part `{name}`"))),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.parts.iter().any(|(known, _)| *known == name)
    }

    fn tensor(&mut self, name: &str) -> Result<Weight, RunError> {
        match self.tensors.iter().position(|(known, _)| *known == name) {
            Some(at) => Ok(self.tensors.remove(at).1),
            None => Err(self.refused(format!("it has no parameter `{name}`"))),
        }
    }

    fn norm_tensors(&mut self, weight: &str, bias: &str, kind: NormKind) -> Result<(Weight, Option<Weight>), RunError> {
        let weights = self.tensor(weight)?;
        let biases = match kind {
            NormKind::LayerNorm => Some(self.tensor(bias)?),
            NormKind::RmsNorm => None,
        };
        if let Some(biases) = &biases {
            self.shape(bias, biases, &weights.tensor.size())?;
        }
        Ok((weights, biases))
    }

    fn size(&self, size: u64) -> Result<i64, RunError> {
        i64::try_from(size).map_err(|_| self.refused(format!("{size} is not a size that a tensor can have")))
    }

    fn shape(&self, name: &str, weight: &Weight, expected: &[i64]) -> Result<(), RunError> {
        let found = weight.tensor.size();
        self.demand(found == expected, || format!("its parameter `{name}` has shape {found:?}, needed is {expected:?}"))
    }

    fn demand(&self, holds: bool, what: impl FnOnce() -> String) -> Result<(), RunError> {
        if holds { Ok(()) } else { Err(self.refused(what())) }
    }

    fn nothing_left(&self) -> Result<(), RunError> {
        if let Some((name, _)) = self.tensors.first() {
            return Err(self.refused(format!("nothing uses its parameter `{name}`")));
        }
        if let Some((name, _)) = self.parts.first() {
            return Err(self.refused(format!("nothing uses its part `{name}`")));
        }
        Ok(())
    }

    fn refused(&self, what: String) -> RunError {
        refused(self.node, self.path, what)
    }
}

fn refused(node: &Node, path: &str, what: String) -> RunError {
    let module = if path.is_empty() { "model".to_owned() } else { path.to_owned() };
    RunError::Graph { module, what, causes: node.causes.clone() }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The first values of a parameter: a function of the seed and its name.
fn first_values(seed: u64, name: &str, parameter: &Parameter) -> Result<Tensor, RunError> {
    let shape: Option<Vec<i64>> = parameter.shape.iter().map(|size| i64::try_from(*size).ok()).collect();
    let elements = parameter.shape.iter().try_fold(1u64, |product, size| product.checked_mul(*size));
    let (Some(shape), Some(elements)) = (shape, elements.filter(|elements| *elements < 1 << 34)) else {
        return Err(RunError::plan(format!("parameter `{name}` of shape {:?} is too large", parameter.shape)));
    };
    let values = match parameter.init {
        Init::Ones => Tensor::f_ones(&shape, SINGLE)?,
        Init::Zeros => Tensor::f_zeros(&shape, SINGLE)?,
        Init::Normal { std } => {
            let values = Tensor::f_empty([elements as i64], SINGLE)?;
            let stream = Stream::new(seed, Purpose::Parameter, name_key(name));
            let mut piece = vec![0f32; PIECE.min(elements) as usize];
            for start in (0..elements).step_by(PIECE as usize) {
                let count = PIECE.min(elements - start);
                piece.truncate(count as usize);
                stream.fill_normal(std, (start / 4) as u32, &mut piece);
                values.f_narrow(0, start as i64, count as i64)?.f_copy_(&Tensor::f_from_slice(&piece)?)?;
            }
            values.f_view(shape.as_slice())?
        }
    };
    Ok(values.f_set_requires_grad(true)?)
}

/// Elements that are drawn at a time: a multiple of 4.
const PIECE: u64 = 1 << 20;
