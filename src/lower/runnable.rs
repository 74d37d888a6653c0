//! What MegaDLMs does and the embedded runtime does not.

use crate::base::{SourceMap, Span};
use crate::check::Experiment;
use crate::diag::Sink;
use crate::lower::errors;
use crate::lower::fields::Demands;
use crate::lower::words::{AttentionMask, RunningMode};

/// Whether the embedded runtime can run an experiment as it stands. What it can't do is reported where it is asked for:
/// nothing is left out in silence.
pub fn runnable(experiment: &Experiment, sources: &SourceMap, sink: &mut Sink) -> bool {
    let Some(demands) = Demands::read(experiment, sources, sink) else { return false };
    let mut runs = true;
    let mut refuse = |span: Span, message: String, help: &str| {
        sink.push(errors::unsupported(span, message, Some(help)));
        runs = false;
    };
    let launch = "this size is for MegaDLMs; set it to 1 for a run here";
    for (size, what) in [(&demands.tensor, "tensor"), (&demands.pipeline, "pipeline"), (&demands.context, "context")] {
        if **size > 1 {
            let message =
                format!("the embedded runtime runs on one device, but {what} parallelism asks for {}", **size);
            refuse(size.span, message, launch);
        }
    }
    if let Some(world) = demands.world_size.filter(|&world| world > 1) {
        let message = format!("the embedded runtime is one process, but `environment.world_size` is {world}");
        refuse(demands.world_size.span, message, "leave it out, or set it to 1, for a run here");
    }
    for (format, on) in [(&demands.bf16, *demands.bf16), (&demands.fp16, *demands.fp16)] {
        if on {
            let message =
                format!("the embedded runtime computes in single precision, but `{}` is on", format.cause.field);
            refuse(format.span, message, "switch it off for a run here");
        }
    }
    if demands.fp8.is_some() {
        let message = "the embedded runtime has no 8-bit numbers".to_owned();
        refuse(demands.fp8.span, message, "leave `precision.fp8` out for a run here");
    }
    if *demands.mode == RunningMode::MaskedDiffusion && *demands.attention_mask != AttentionMask::Bidirectional {
        let message = "the embedded runtime trains masked diffusion with `attention_mask = no_mask` only".to_owned();
        refuse(demands.attention_mask.span, message, "so does MegaDLMs, which fails at the first loss with any other");
    }
    if *demands.reset_position_ids && *demands.reset_attention_mask {
        let message = "the embedded runtime does not pack documents".to_owned();
        refuse(demands.reset_attention_mask.span, message, "leave `data.reset_attention_mask` out for a run here");
    }
    runs
}
