//! Enum values that Rust understands, by the target's own spelling.

/// The words of one enum that Rust understands.
#[derive(Clone, Copy, Debug)]
pub struct KnownWords {
    /// The enum, as the standard library calls it.
    pub name: &'static str,
    /// Spellings that have a meaning here.
    pub words: &'static [&'static str],
}

/// Declares a Rust enum for an enum of the library, with the spellings that stand for each value.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $first:literal $(| $more:literal)*,)* })*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $name { $($(#[$variant_doc])* $variant),* }

        impl Word for $name {
            fn of(spelling: &str) -> Option<Self> {
                match spelling {
                    $($first $(| $more)* => Some($name::$variant),)*
                    _ => None,
                }
            }
        })*

        /// The words of every enum that Rust reads.
        pub const KNOWN_WORDS: &[KnownWords] = &[
            $(KnownWords { name: stringify!($name), words: &[$($first $(, $more)*),*] }),*
        ];
    };
}

/// A Rust enum that is read from an enum of the language.
pub(super) trait Word: Sized {
    /// The value that a spelling stands for.
    fn of(spelling: &str) -> Option<Self>;
}

words! {
    /// How positions reach the network.
    PositionEmbedding {
        /// A table of vectors.
        Learned = "learned_absolute",
        /// Rotated queries and keys.
        Rotary = "rope",
        /// Not at all. MegaDLMs has no code for the last three words and builds the same.
        Nothing = "none" | "rope_2d_position_step" | "rope_position_learned_step" | "rope_position_sinusoid_step",
    }
    /// Which normalization.
    Normalization {
        /// Mean and variance.
        LayerNorm = "LayerNorm",
        /// Root mean square.
        RmsNorm = "RMSNorm",
    }
    /// Which modules layers are built from.
    TransformerImpl {
        /// NVIDIA's.
        TransformerEngine = "transformer_engine",
        /// Plain ones.
        Local = "local",
    }
    /// The library behind attention.
    AttentionBackend {
        /// FlashAttention.
        Flash = "flash",
        /// cuDNN.
        Fused = "fused",
        /// Matrix products.
        Unfused = "unfused",
        /// Megatron's own.
        Local = "local",
        /// Whatever suits.
        Auto = "auto",
        /// By environment variables.
        Custom = "custom",
    }
    /// What a step computes.
    RunningMode {
        /// Masked diffusion without a shift of labels.
        MaskedDiffusion = "difflm-noshift",
        /// Next tokens.
        Autoregressive = "vanilla",
        /// A forward pass.
        TestForward = "test-forward",
    }
    /// Who sees whom.
    AttentionMask {
        /// Everybody everybody.
        Bidirectional = "no_mask",
        /// Backwards only.
        Causal = "causal" | "causal_bottom_right",
        /// Own block and earlier ones.
        BlockCausal = "block_causal",
    }
    /// The module of attention.
    CoreAttention {
        /// Transformer Engine's.
        TransformerEngine = "TEDotProductAttention",
        /// PyTorch's.
        Flex = "FlexAttention",
    }
    /// Which optimizer.
    OptimizerKind {
        /// AdamW.
        Adam = "adam",
        /// Gradient descent.
        Sgd = "sgd",
    }
    /// How the learning rate falls.
    DecayStyle {
        /// It does not.
        Constant = "constant",
        /// On a line.
        Linear = "linear",
        /// On half a cosine.
        Cosine = "cosine",
        /// With the inverse square root.
        InverseSquareRoot = "inverse-square-root",
        /// At the end only.
        WarmupStableDecay = "WSD",
    }
    /// How the end of a warm-up-stable-decay schedule falls.
    AnnealStyle {
        /// By halves.
        Exponential = "exponential",
        /// On a line.
        Linear = "linear",
        /// On half a cosine.
        Cosine = "cosine",
    }
    /// How weight decay grows.
    WeightDecayStyle {
        /// It does not.
        Constant = "constant",
        /// On a line.
        Linear = "linear",
        /// On half a cosine.
        Cosine = "cosine",
    }
    /// How text becomes tokens here.
    Tokenizer {
        /// Byte by byte.
        Bytes = "bytes",
    }
    /// Which positions a denoising step commits.
    Remasking {
        /// The surest.
        LowConfidence = "low_confidence",
        /// Any.
        Random = "random",
    }
    /// How 8-bit numbers are laid out.
    Fp8Format {
        /// Four bits of exponent.
        E4m3 = "e4m3",
        /// Four or five.
        Hybrid = "hybrid",
    }
}

impl AttentionBackend {
    /// Its word, as the target spells it.
    pub(super) fn word(self) -> &'static str {
        match self {
            AttentionBackend::Flash => "flash",
            AttentionBackend::Fused => "fused",
            AttentionBackend::Unfused => "unfused",
            AttentionBackend::Local => "local",
            AttentionBackend::Auto => "auto",
            AttentionBackend::Custom => "custom",
        }
    }
}
