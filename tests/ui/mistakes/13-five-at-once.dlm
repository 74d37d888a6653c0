dlm 1

use std.megadlms.Pretrain
use std.recipes.masked_difusion
#               ^^^^^^^^^^^^^^^ error[resolve::unknown_name] `std.recipes` declares no `masked_difusion`

experiment small extends Pretrain with masked_difusion {
  model {
    num_layers              = "28"
#                             ^^^^ error[resolve::wrong_type] `model.num_layers` is a whole number, but this is text
    hiden_size              = 64
#   ^^^^^^^^^^ error[resolve::unknown_field] group `model` has no field `hiden_size`
    num_attention_heads     = 4
    vocab_size              = 257
    max_position_embeddings = 64
  }
  diffusion.mask_token = 256
  train {
    budget            = 10GB
#                       ^^^^ error[resolve::wrong_unit] `train.budget` is a count of tokens, samples or iterations, but 10GB measures memory
    seq_length        = 64
    global_batch_size = 8
    micro_batch_size  = 8
  }
  optimizer.lr    = 1e-3
  sampling.length = 32
  data.text       = "book.txt"
  diffusion.attention_mask = no_maks
#                            ^^^^^^^ error[resolve::unknown_value] `diffusion.attention_mask` has no value `no_maks`
}
