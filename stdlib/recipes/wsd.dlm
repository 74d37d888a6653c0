dlm 1

use std.megadlms.Pretrain

## Warm-up, stable, decay: 2,000 steps up, flat, 1,000 steps down at the end of training.
mixin wsd for Pretrain {
  optimizer {
    lr_decay_style     = WSD
    lr_warmup_iters    = 2_000
    lr_wsd_decay_style = exponential
    lr_wsd_decay_iters = 1_000
    lr_decay_iters     = train.iters
  }
}
