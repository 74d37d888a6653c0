dlm 1

use std.megadlms.Pretrain

## Masked diffusion as MegaDLMs can run it: every position sees every other, masked tokens are predicted in place.
## Which token stands for a mask is for the experiment to say.
mixin masked_diffusion for Pretrain {
  diffusion {
    mode           = difflm_noshift
    base_model     = vanilla
    attention_mask = no_mask
  }
}
