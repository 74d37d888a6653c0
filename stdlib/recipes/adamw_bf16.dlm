dlm 1

use std.megadlms.Pretrain

## AdamW with bfloat16 weights, as MegaDLMs trains its 1.7B model.
mixin adamw_bf16 for Pretrain {
  precision.bf16 = true

  optimizer {
    lr           = 2e-4
    min_lr       = lr / 10
    weight_decay = 0.1
    adam_beta2   = 0.95
  }
}
