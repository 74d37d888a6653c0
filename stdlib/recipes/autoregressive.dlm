dlm 1

use std.megadlms.Pretrain

## Next-token prediction under a causal mask: the baseline that a diffusion model is held against.
mixin autoregressive for Pretrain {
  diffusion {
    mode           = vanilla
    base_model     = vanilla
    attention_mask = causal_bottom_right
  }
}
