//! The one list of fields that Rust names, with the Rust type that each is read as.

use std::ops::Deref;
use std::path::PathBuf;

use crate::base::{Decimal, SourceMap, Span};
use crate::check::Experiment;
use crate::diag::Sink;
use crate::lower::cause::cause;
use crate::lower::errors::{self, Foreign};
use crate::lower::words::{
    AnnealStyle, AttentionBackend, AttentionMask, CoreAttention, DecayStyle, Fp8Format, Normalization, OptimizerKind,
    PositionEmbedding, Remasking, RunningMode, Tokenizer, TransformerImpl, WeightDecayStyle, Word,
};
use crate::spec::{Cause, LayerGraph};
use crate::types::{Data, Dimension, Type, Unknown};

/// How many processes a run has: what `--world-size` sets.
pub const WORLD_SIZE: &str = "environment.world_size";

/// A computed field: its path, and how it follows from the network.
pub(super) type Computed = (&'static str, fn(&LayerGraph) -> u64);

/// Computed fields: what the network is worked out to have.
pub(super) const COMPUTED: &[Computed] = &[("graph.params", |graph| graph.root.parameter_count())];

/// A field that Rust names.
#[derive(Clone, Copy, Debug)]
pub struct NamedField {
    /// Its dotted path.
    pub path: &'static str,
    /// Whether a field of that type can be read as what Rust wants of it.
    pub fits: fn(&Type) -> bool,
    /// What that is, with an article.
    pub wanted: &'static str,
}

/// Whether the schema of an experiment has every field that Rust names, as Rust wants it. Reported as one fault if not.
pub(super) fn familiar(experiment: &Experiment, purpose: &str, sink: &mut Sink) -> bool {
    let schema = &experiment.schema;
    let fault = |named: &NamedField| match schema.field_id(named.path).map(|id| schema.field(id)) {
        None => Some(Foreign::Missing(named.path)),
        Some(field) if (named.fits)(&field.ty) => None,
        Some(field) => Some(Foreign::Type { path: named.path, span: field.span, wanted: named.wanted }),
    };
    let mut faults: Vec<Foreign> = NAMED.iter().filter_map(fault).collect();
    // Fields that several groups read.
    let mut seen = std::collections::HashSet::new();
    faults.retain(|fault| seen.insert(*fault));
    sink.extend_with(errors::foreign_schema(experiment, purpose, &faults));
    faults.is_empty()
}

/// Declares the groups of fields that one part of lowering reads together.
macro_rules! fields {
    ($($(#[$doc:meta])* $group:ident for $purpose:literal { $($field:ident: $ty:ty = $path:literal,)* })*) => {
        $($(#[$doc])*
        #[derive(Clone, Debug)]
        pub(super) struct $group {
            $(pub(super) $field: Known<$ty>,)*
        }

        impl $group {
            /// Reads all of them. What can't be read is reported, all of it together.
            pub(super) fn read(experiment: &Experiment, sources: &SourceMap, sink: &mut Sink) -> Option<Self> {
                let mut reader = Reader { experiment, sources, foreign: Vec::new(), unset: Vec::new(), sink };
                $(let $field = reader.read::<$ty>($path);)*
                let Reader { foreign, unset, sink, .. } = reader;
                sink.extend_with(errors::foreign_schema(experiment, $purpose, &foreign));
                sink.extend_with(errors::not_set(experiment.span, $purpose, &unset));
                Some($group { $($field: $field?,)* })
            }
        })*

        /// Every field that Rust names.
        pub const NAMED: &[NamedField] = &[
            $($(NamedField { path: $path, fits: <$ty as Read>::fits, wanted: <$ty as Read>::WANTED },)*)*
        ];
    };
}

fields! {
    /// What the network is made of.
    Network for "so no network can be built from it" {
        num_layers: u64 = "model.num_layers",
        hidden_size: u64 = "model.hidden_size",
        num_attention_heads: u64 = "model.num_attention_heads",
        ffn_hidden_size: u64 = "model.ffn_hidden_size",
        kv_channels: u64 = "model.kv_channels",
        group_query_attention: bool = "model.group_query_attention",
        num_query_groups: u64 = "model.num_query_groups",
        vocab_size: u64 = "model.vocab_size",
        padded_vocab_size: u64 = "padded_vocab_size",
        max_position_embeddings: u64 = "model.max_position_embeddings",
        position_embedding_type: PositionEmbedding = "model.position_embedding_type",
        rotary_base: f64 = "model.rotary_base",
        rotary_percent: f64 = "model.rotary_percent",
        rotary_interleaved: bool = "model.rotary_interleaved",
        normalization: Normalization = "model.normalization",
        norm_epsilon: f64 = "model.norm_epsilon",
        apply_layernorm_1p: bool = "model.apply_layernorm_1p",
        qk_layernorm: bool = "model.qk_layernorm",
        swiglu: bool = "model.swiglu",
        squared_relu: bool = "model.squared_relu",
        add_bias_linear: bool = "model.add_bias_linear",
        add_qkv_bias: bool = "model.add_qkv_bias",
        untied: bool = "model.untie_embeddings_and_output_weights",
        attention_dropout: f64 = "model.attention_dropout",
        hidden_dropout: f64 = "model.hidden_dropout",
        init_method_std: f64 = "model.init_method_std",
        attention_backend: AttentionBackend = "model.attention_backend",
        transformer_impl: TransformerImpl = "model.transformer_impl",
        core_attention: CoreAttention = "diffusion.core_attention",
        attention_mask: AttentionMask = "diffusion.attention_mask",
        mode: RunningMode = "diffusion.mode",
        bf16: bool = "precision.bf16",
        fp16: bool = "precision.fp16",
        seq_length: u64 = "train.seq_length",
        micro_batch_size: u64 = "train.micro_batch_size",
    }

    /// What is done with the network.
    Training for "so no training plan can be made from it" {
        seed: u64 = "train.seed",
        iters: u64 = "train.iters",
        seq_length: u64 = "train.seq_length",
        global_batch_size: u64 = "train.global_batch_size",
        micro_batch_size: u64 = "train.micro_batch_size",
        mode: RunningMode = "diffusion.mode",
        mask_token: i64 = "diffusion.mask_token",
        varlen_prob: f64 = "diffusion.varlen_prob",
        eval_interval: u64 = "evaluation.eval_interval",
        eval_iters: u64 = "evaluation.eval_iters",
        save_interval: Option<u64> = "checkpoint.save_interval",
        log_interval: u64 = "logging.log_interval",
    }

    /// The optimizer and its schedules.
    Optimization for "so no training plan can be made from it" {
        optimizer: OptimizerKind = "optimizer.optimizer",
        lr: f64 = "optimizer.lr",
        min_lr: f64 = "optimizer.min_lr",
        lr_decay_style: DecayStyle = "optimizer.lr_decay_style",
        lr_warmup_iters: u64 = "optimizer.lr_warmup_iters",
        lr_warmup_fraction: Option<f64> = "optimizer.lr_warmup_fraction",
        lr_warmup_init: f64 = "optimizer.lr_warmup_init",
        lr_decay_iters: Option<u64> = "optimizer.lr_decay_iters",
        lr_wsd_decay_style: AnnealStyle = "optimizer.lr_wsd_decay_style",
        lr_wsd_decay_iters: Option<u64> = "optimizer.lr_wsd_decay_iters",
        weight_decay: f64 = "optimizer.weight_decay",
        start_weight_decay: Option<f64> = "optimizer.start_weight_decay",
        end_weight_decay: Option<f64> = "optimizer.end_weight_decay",
        weight_decay_incr_style: WeightDecayStyle = "optimizer.weight_decay_incr_style",
        adam_beta1: f64 = "optimizer.adam_beta1",
        adam_beta2: f64 = "optimizer.adam_beta2",
        adam_eps: f64 = "optimizer.adam_eps",
        clip_grad: f64 = "optimizer.clip_grad",
    }

    /// The text of a run in the embedded runtime.
    Text for "so the embedded runtime finds no text to train on" {
        text: Option<PathBuf> = "data.text",
        tokenizer: Tokenizer = "data.tokenizer",
        held_out: f64 = "data.held_out",
    }

    /// What the trained model writes.
    Writing for "so the embedded runtime does not know what to write" {
        prompt: String = "sampling.prompt",
        length: u64 = "sampling.length",
        block_length: u64 = "sampling.block_length",
        steps: u64 = "sampling.steps",
        temperature: f64 = "sampling.temperature",
        remasking: Remasking = "sampling.remasking",
        count: u64 = "sampling.count",
    }

    /// What the embedded runtime may be unable to do.
    Demands for "so the embedded runtime cannot tell whether it can run it" {
        tensor: u64 = "parallel.tensor_model_parallel_size",
        pipeline: u64 = "parallel.pipeline_model_parallel_size",
        context: u64 = "parallel.context_parallel_size",
        world_size: Option<u64> = "environment.world_size",
        bf16: bool = "precision.bf16",
        fp16: bool = "precision.fp16",
        fp8: Option<Fp8Format> = "precision.fp8",
        mode: RunningMode = "diffusion.mode",
        attention_mask: AttentionMask = "diffusion.attention_mask",
        reset_position_ids: bool = "data.reset_position_ids",
        reset_attention_mask: bool = "data.reset_attention_mask",
    }
}

/// A value that was read, and where it came from.
#[derive(Clone, Debug)]
pub(super) struct Known<T> {
    value: T,
    /// The text that set it, or its declaration.
    pub(super) span: Span,
    /// The same in words.
    pub(super) cause: Cause,
}

impl<T> Deref for Known<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// What a Rust type needs of a field to be read from it.
pub(super) trait Read: Sized {
    /// Whether fields of that type give such values.
    fn fits(ty: &Type) -> bool;
    /// The value.
    fn read(data: &Data) -> Result<Self, Unread>;
    /// What a field should be, for messages.
    const WANTED: &'static str;
}

/// Why a value can't be read although its field has the right type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// It was complained about.
    Failed,
    /// It is not known.
    Unknown(Unknown),
    /// There is none.
    None,
    /// It is beyond what a machine number holds, or a number of another kind than its type promised.
    Range,
    /// A word without a meaning here.
    Word,
}

struct Reader<'a> {
    experiment: &'a Experiment,
    sources: &'a SourceMap,
    foreign: Vec<Foreign>,
    unset: Vec<&'static str>,
    sink: &'a mut Sink,
}

impl Reader<'_> {
    fn read<T: Read>(&mut self, path: &'static str) -> Option<Known<T>> {
        let Some(id) = self.experiment.schema.field_id(path) else {
            self.foreign.push(Foreign::Missing(path));
            return None;
        };
        let field = self.experiment.schema.field(id);
        if !T::fits(&field.ty) {
            self.foreign.push(Foreign::Type { path, span: field.span, wanted: T::WANTED });
            return None;
        }
        let value = self.experiment.value(id);
        let span = value.origin.span;
        match T::read(&value.data) {
            Ok(read) => return Some(Known { value: read, span, cause: cause(self.experiment, id, self.sources) }),
            Err(Unread::Failed) => {}
            Err(Unread::Unknown(unknown)) => self.sink.push(errors::unknown(span, path, unknown)),
            Err(Unread::None) => self.unset.push(path),
            Err(Unread::Range) => self.sink.push(errors::too_large(span, path, &value.data.to_string(), T::WANTED)),
            Err(Unread::Word) => {
                let message = format!("`{path}` is `{}`, which has no meaning here", value.data);
                self.sink.push(errors::unsupported(span, message, None));
            }
        }
        None
    }
}

/// The number of a value that has one.
fn number(data: &Data) -> Result<Decimal, Unread> {
    match data {
        Data::Number(value) | Data::Quantity(value, _) => Ok(*value),
        Data::None => Err(Unread::None),
        Data::Failed => Err(Unread::Failed),
        Data::Unknown(unknown) => Err(Unread::Unknown(*unknown)),
        Data::Bool(_) | Data::Text(_) | Data::Enum(..) | Data::List(_) => Err(Unread::Range),
    }
}

/// Counts: whole numbers, and quantities of one family that count.
fn counts(ty: &Type) -> bool {
    let counted = ty.dimensions().and_then(|set| set.single()).is_some_and(Dimension::is_count);
    ty == &Type::Int || !ty.is_optional() && counted
}

macro_rules! whole {
    ($($ty:ty)*) => {
        $(impl Read for $ty {
            const WANTED: &'static str = "a whole number";

            fn fits(ty: &Type) -> bool {
                counts(ty)
            }

            fn read(data: &Data) -> Result<Self, Unread> {
                let value = number(data)?;
                let whole = value.fract().is_zero().then(|| <$ty>::try_from(value).ok()).flatten();
                whole.ok_or(Unread::Range)
            }
        })*
    };
}
whole! { u64 i64 }

impl Read for f64 {
    const WANTED: &'static str = "a number";

    fn fits(ty: &Type) -> bool {
        !ty.is_optional() && ty.is_number()
    }

    fn read(data: &Data) -> Result<Self, Unread> {
        // By the decimal digits, as the target reads them: `Decimal::to_f64` is off by a unit in the last place.
        number(data)?.to_string().parse().map_err(|_| Unread::Range)
    }
}

impl Read for bool {
    const WANTED: &'static str = "a bool";

    fn fits(ty: &Type) -> bool {
        ty == &Type::Bool
    }

    fn read(data: &Data) -> Result<Self, Unread> {
        match data {
            Data::Bool(value) => Ok(*value),
            other => Err(number(other).err().unwrap_or(Unread::Range)),
        }
    }
}

impl Read for String {
    const WANTED: &'static str = "text";

    fn fits(ty: &Type) -> bool {
        matches!(ty, Type::String | Type::Path)
    }

    fn read(data: &Data) -> Result<Self, Unread> {
        match data {
            Data::Text(text) => Ok(text.to_string()),
            other => Err(number(other).err().unwrap_or(Unread::Range)),
        }
    }
}

impl Read for PathBuf {
    const WANTED: &'static str = "a path";

    fn fits(ty: &Type) -> bool {
        String::fits(ty)
    }

    fn read(data: &Data) -> Result<Self, Unread> {
        String::read(data).map(PathBuf::from)
    }
}

impl<T: Read> Read for Option<T> {
    const WANTED: &'static str = T::WANTED;

    fn fits(ty: &Type) -> bool {
        T::fits(ty.required())
    }

    fn read(data: &Data) -> Result<Self, Unread> {
        match data {
            Data::None => Ok(None),
            other => T::read(other).map(Some),
        }
    }
}

impl<T: Word> Read for T {
    const WANTED: &'static str = "an enum";

    fn fits(ty: &Type) -> bool {
        matches!(ty, Type::Enum(_))
    }

    fn read(data: &Data) -> Result<Self, Unread> {
        match data {
            Data::Enum(_, spelling) => T::of(spelling).ok_or(Unread::Word),
            other => Err(number(other).err().unwrap_or(Unread::Range)),
        }
    }
}
