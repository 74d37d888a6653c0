//! The network of a layer graph, and its parameters.
//!
//! Must not know: objectives, plans, files. Start with [`Model`]; `build` turns node kinds into parts, `parts` runs
//! them, `training` runs them with gradients. Invariants: nothing but the graph says what is built, and every node and parameter of it is used or refused;
//! a parameter is named by its dotted path in the graph; first values are a function of (seed, name).

mod build;
mod gradients;
mod parts;
mod training;

pub use gradients::Gradients;
pub use training::Tape;

use tch::{Device, Kind, Tensor};

use crate::run::RunError;
use crate::run::ops::dropout::Dropout;
use crate::run::ops::loss::{Head, HeadGradient};
use crate::spec::LayerGraph;
use crate::spec::attention::AttentionMask;

/// A network on the CPU, in single precision whatever the graph stores its parameters in.
#[derive(Debug)]
pub struct Model {
    network: parts::GptModel,
    parameters: Vec<NamedParameter>,
    vocab: i64,
}

/// A trainable tensor of a [`Model`].
#[derive(Debug)]
pub struct NamedParameter {
    /// Dotted path in the graph: `decoder.layers.0.self_attention.linear_qkv.weight`.
    pub name: String,
    /// Its values: single precision, contiguous, a leaf of autograd.
    pub tensor: Tensor,
    /// Whether weight decay applies.
    pub decays: bool,
}

/// Rows of tokens for the network.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// `[rows * length]`, row after row.
    pub tokens: &'a [i64],
    /// Tokens of a row.
    pub length: usize,
    /// Position id of the first token of every row; the others follow.
    pub first_position: i64,
}

/// How a forward pass runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pass<'a> {
    /// Takes the place of the mask of every layer, as autoregressive training does.
    pub mask: Option<AttentionMask>,
    /// What keys dropout; none switches it off.
    pub dropout: Option<Dropout<'a>>,
}

impl Model {
    /// Builds the network, with the first values that the graph asks for.
    ///
    /// # Errors
    /// [`RunError::Graph`] for a module that cannot be built: unknown parts, missing or left-over parameters, shapes
    /// that contradict the module.
    pub fn new(graph: &LayerGraph, seed: u64) -> Result<Model, RunError> {
        let (network, parameters) = build::network(graph, seed)?;
        let vocab = i64::try_from(graph.dims.vocab).unwrap_or(i64::MAX);
        Ok(Model { network, parameters, vocab })
    }

    /// All parameters, in the order of the graph.
    pub fn parameters(&self) -> &[NamedParameter] {
        &self.parameters
    }

    /// Elements of all parameters.
    pub fn parameter_count(&self) -> usize {
        self.parameters.iter().map(|parameter| parameter.tensor.numel()).sum()
    }

    /// Rows of the embedding that stand for tokens: logits beyond are padding.
    pub fn vocab(&self) -> i64 {
        self.vocab
    }

    /// Overwrites the parameter `name`.
    ///
    /// # Errors
    /// [`RunError::Name`] if there is none of that name, [`RunError::Shape`] if the shape is another.
    pub fn set_parameter(&self, name: &str, values: &Tensor) -> Result<(), RunError> {
        let Some(parameter) = self.parameters.iter().find(|parameter| parameter.name == name) else {
            return Err(RunError::Name { set: "model".into(), what: "unknown tensor", name: name.to_owned() });
        };
        let (expected, found) = (parameter.tensor.size(), values.size());
        if expected != found {
            return Err(RunError::Shape { tensor: name.to_owned(), expected, found });
        }
        let _guard = tch::no_grad_guard();
        parameter.tensor.f_detach()?.f_copy_(values)?;
        Ok(())
    }

    /// Final hidden states `[b, s, h]`.
    ///
    /// # Errors
    /// [`RunError::Token`] for a token outside the embedding, [`RunError::Plan`] for positions outside a learned
    /// table, [`RunError::Tensor`] where libtorch refuses.
    pub fn hidden(&self, input: Input<'_>, pass: Pass<'_>) -> Result<Tensor, RunError> {
        self.network.forward(&self.tokens(input)?, input.first_position, pass, None)
    }

    /// Final hidden states `[n, h]` at the positions `rows` `[n]`, 64-bit indices into `input.tokens`.
    ///
    /// Whatever acts on each position alone after the last attention is computed at these positions only.
    ///
    /// # Errors
    /// As [`Model::hidden`].
    pub fn hidden_at(&self, input: Input<'_>, rows: &Tensor, pass: Pass<'_>) -> Result<Tensor, RunError> {
        self.network.forward(&self.tokens(input)?, input.first_position, pass, Some(rows))
    }

    /// The output head. A head that is tied to the embedding gives the embedding's weight.
    pub fn head(&self) -> Head<'_> {
        self.network.head()
    }

    /// Logits `[b, s, v]` for rows of tokens, padding columns included, without gradients.
    ///
    /// # Errors
    /// As [`Model::hidden`].
    pub fn logits(&self, input: Input<'_>, pass: Pass<'_>) -> Result<Tensor, RunError> {
        let _guard = tch::no_grad_guard();
        self.head().logits(&self.hidden(input, pass)?)
    }

    /// [`Model::hidden_at`] with what [`Model::backward`] needs. Autograd is not used: every module has a gradient of
    /// its own here, which keeps less and writes in place.
    ///
    /// # Errors
    /// As [`Model::hidden`].
    pub fn train(&self, input: Input<'_>, rows: &Tensor, pass: Pass<'_>) -> Result<(Tensor, Tape), RunError> {
        let _guard = tch::no_grad_guard();
        self.network.train(&self.tokens(input)?, input.first_position, rows, pass)
    }

    /// Adds the gradients of all parameters: of those behind the hidden states whose gradient is `gradient`, and of
    /// the output head, which have been computed with the loss. A tied head adds to the embedding's.
    ///
    /// # Errors
    /// [`RunError::Tensor`] where libtorch refuses.
    pub fn backward(&self, tape: Tape, head: HeadGradient, sums: &mut Gradients) -> Result<(), RunError> {
        let _guard = tch::no_grad_guard();
        let (weight, bias) = match &self.network.output_layer {
            Some(linear) => (&linear.weight, linear.bias.as_ref()),
            None => (&self.network.embedding.words, None),
        };
        sums.add(weight, head.weight)?;
        if let Some((bias, gradient)) = bias.zip(head.bias) {
            sums.add(bias, gradient)?;
        }
        self.network.back(tape, head.hidden, sums)
    }

    fn tokens(&self, input: Input<'_>) -> Result<Tensor, RunError> {
        let length = input.length.max(1);
        let vocab = self.network.embedding_rows()?;
        if let Some(at) = input.tokens.iter().position(|token| !(0..vocab).contains(token)) {
            let token = input.tokens.get(at).copied().unwrap_or_default();
            return Err(RunError::Token { token, row: at / length, position: at % length, vocab });
        }
        let rows = (input.tokens.len() / length) as i64;
        let tokens = Tensor::f_from_slice(input.tokens)?.f_view([rows, length as i64]);
        tokens.map_err(RunError::from).map_err(|error| error.within("tokens"))
    }
}

/// Where and in what the runtime computes.
pub(crate) const SINGLE: (Kind, Device) = (Kind::Float, Device::Cpu);
