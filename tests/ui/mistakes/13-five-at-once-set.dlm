#! --set model.hiden_size=128
#!             ^^^^^^^^^^ error[resolve::unknown_field] group `model` has no field `hiden_size`
#! --set model.num_layers="28"
#!                        ^^^^ error[resolve::wrong_type] `model.num_layers` is a whole number, but this is text
#! --set train.budget=10GB
#!                    ^^^^ error[resolve::wrong_unit] `train.budget` is a count of tokens, samples or iterations, but 10GB measures memory
#! --set diffusion.attention_mask=no_maks
#!                                ^^^^^^^ error[resolve::unknown_value] `diffusion.attention_mask` has no value `no_maks`
#! --set diffusion.varlen_prob=3
#!                             ^ error[resolve::out_of_range] `diffusion.varlen_prob` must be at least 0 and at most 1, but this is 3
dlm 1

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

experiment small extends Pretrain with masked_diffusion {
  model {
    num_layers              = 2
    hidden_size             = 64
    num_attention_heads     = 4
    vocab_size              = 257
    max_position_embeddings = 64
  }
  diffusion.mask_token = 256
  train {
    budget            = 10 iters
    seq_length        = 64
    global_batch_size = 8
    micro_batch_size  = 8
  }
  optimizer.lr    = 1e-3
  sampling.length = 32
  data.text       = "book.txt"
}
