dlm 1

## How 8-bit numbers are laid out.
enum Fp8Format {
  ## Four bits of exponent everywhere.
  e4m3
  ## Four bits forwards, five backwards.
  hybrid
}

## Number formats. With neither `bf16` nor `fp16` everything is single precision.
schema Precision {
  ## Weights and activations in bfloat16; the optimizer keeps single-precision copies.
  bf16: bool = false   flag "--bf16"

  ## Weights and activations in IEEE half precision, with loss scaling.
  fp16: bool = false   flag "--fp16"

  ## Matrix products in 8 bits, by Transformer Engine.
  fp8: Fp8Format?   flag "--fp8-format"

  ## Compute softmax of attention in single precision.
  attention_softmax_in_fp32: bool = false   flag "--attention-softmax-in-fp32"

  ## Sum gradients over micro-batches and ranks in single precision.
  accumulate_allreduce_grads_in_fp32: bool = bf16   flag "--accumulate-allreduce-grads-in-fp32"

  ## Compute the cross entropy in half precision.
  fp16_lm_cross_entropy: bool = false   flag "--fp16-lm-cross-entropy"

  ## Weights have one format.
  check one_precision: not (bf16 and fp16)
    else "`bf16` and `fp16` are both on, but weights have one format"
    help "bf16 needs no loss scaling and is the usual choice; switch `fp16` off"
    fix fp16 = false
    upstream "prec.fp16-xor-bf16"

  ## MegaDLMs turns it on by itself with `bf16`.
  check bf16_accumulates_in_fp32: accumulate_allreduce_grads_in_fp32
    when bf16
    else "`accumulate_allreduce_grads_in_fp32` is false, but with `bf16` MegaDLMs always sums in single precision"
    help "leave it out"
    upstream "prec.bf16-accumulate-fp32"

  ## The loss follows the format of the logits.
  check half_precision_loss: fp16
    when fp16_lm_cross_entropy
    else "`fp16_lm_cross_entropy` needs `fp16`"
    help "leave it out: a loss in single precision costs little and is safer"
    upstream "prec.fp16-ce"
}
