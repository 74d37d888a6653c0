dlm 1

## What a training step computes.
enum RunningMode {
  ## Masked diffusion: predict masked tokens from all others, each at its own position.
  difflm_noshift spelled "difflm-noshift"
  ## Autoregressive: predict each token from those before it. MegaDLMs makes every layer causal for this.
  vanilla
  ## A forward pass for debugging, with the loss of `vanilla` and the mask as it is set.
  test_forward spelled "test-forward"
}

## The family that the network is built as.
enum BaseModel {
  ## The decoder described by `model`.
  vanilla
  ## The default of MegaDLMs, which its own command line refuses and its model builder too.
  Qwen_2
}

## Which positions may look at which.
enum AttentionMask {
  ## Each position sees itself and those before it; the last query is aligned with the last key.
  causal_bottom_right
  ## Every position sees every other.
  no_mask
  ## Each position sees its own block and all blocks before.
  block_causal
  ## Each position sees itself and those before it. Known to `transformer_impl = local` alone.
  causal
}

## The module that computes attention.
enum CoreAttention {
  ## Transformer Engine: dense attention under one of a few fixed masks.
  TEDotProductAttention
  ## PyTorch's FlexAttention. MegaDLMs hands it no mask: it is bidirectional whatever `attention_mask` says.
  FlexAttention
}

## What makes the language model a diffusion model: the objective, the mask token, and who sees whom.
schema Diffusion {
  ## What a training step computes.
  mode: RunningMode = difflm_noshift   flag "--model-running-mode"

  ## The family that the network is built as. The default of MegaDLMs is one that it cannot build; set `vanilla`.
  base_model: BaseModel = Qwen_2   flag "--base-model"

  ## The token that stands for a masked position, as its number in the vocabulary. Real text must never contain it.
  mask_token: int >= 0 = 151_656   flag "--mask-token"

  ## Which positions may look at which.
  attention_mask: AttentionMask = causal_bottom_right   flag "--attention-mask-type"

  ## The module that computes attention.
  core_attention: CoreAttention = TEDotProductAttention   flag "--core-attn-implementation"

  ## Probability that a training batch is cut to a random length, so that the model learns short texts too.
  varlen_prob: fraction in 0..=1 = 1%   flag "--difflm-varilen-prob"

  ## Where documents are packed, start a new segment at each sample as well.
  cut_off_varlen_to_seqlen: bool = false   flag "--cut-off-varlen-to-seqlen"

  ## MegaDLMs can build one family only, and its default is another.
  check base_model_exists: base_model == vanilla
    else "MegaDLMs cannot build `base_model = {base_model}`: `vanilla` is the only family that it has"
    help "set `base_model = vanilla`; {base_model} is the default of MegaDLMs, but not one of its own choices"
    fix base_model = vanilla
    upstream "model.base-vanilla"

  ## In masked diffusion MegaDLMs drops the first token of a sample only if nothing is masked from attention; with any
  ## other mask the first loss is a shape error.
  check diffusion_needs_no_mask: attention_mask == no_mask
    when mode == difflm_noshift
    else "masked diffusion needs `attention_mask = no_mask`, but it is `{attention_mask}`"
    help "with any other mask MegaDLMs fails at the first loss; `mode = vanilla` trains autoregressively"
    fix attention_mask = no_mask
    upstream "dlm.mask-loss-shape"

  ## Transformer Engine has no such mask.
  check block_causal_needs_kernel: core_attention != TEDotProductAttention
    when attention_mask == block_causal and mode == test_forward
    else "`TEDotProductAttention` does not know the mask `block_causal`"
    help "no kernel of this MegaDLMs computes it; choose `no_mask` or `causal_bottom_right`"
    upstream "dlm.block-causal-te"

  ## FlexAttention takes a block mask or none; the loader makes a plain tensor unless nothing is masked.
  check flex_needs_diffusion: mode == difflm_noshift and attention_mask == no_mask
    when core_attention == FlexAttention
    else "`FlexAttention` runs only with `mode = difflm_noshift` and `attention_mask = no_mask`"
    help "MegaDLMs hands it a plain mask tensor otherwise, and the first step fails"
    fix core_attention = TEDotProductAttention
    upstream "dlm.flex-tensor-mask"

  ## A forward pass for debugging is no objective.
  warn test_forward_trains_nothing: mode != test_forward
    else "`mode = test_forward` is for debugging: it computes a next-token loss under whatever mask is set"
    help "use `difflm_noshift` for masked diffusion or `vanilla` for autoregressive training"
}
