dlm 1

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

experiment small extends Pretrain with masked_diffusion {
#          ^^^^^ error[check::missing_field] all to be added in its body
  model {
    hidden_size             = 64
    num_attention_heads     = 4
    max_position_embeddings = 64
  }
  diffusion.mask_token = 256
  train {
    budget            = 10 iters
    seq_length        = 64
    global_batch_size = 8
    micro_batch_size  = 8
  }
  sampling.length = 32
  data.text       = "book.txt"
}
