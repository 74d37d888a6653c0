dlm 1

use std.megadlms.Pretrain
use std.recipes.masked_difusion

experiment small extends Pretrain with masked_difusion {
  model {
    num_layers              = "28"
    hiden_size              = 64
    num_attention_heads     = 4
    vocab_size              = 257
    max_position_embeddings = 64
  }
  diffusion.mask_token = 256
  train {
    budget            = 10GB
    seq_length        = 64
    global_batch_size = 8
    micro_batch_size  = 8
  }
  optimizer.lr    = 1e-3
  sampling.length = 32
  data.text       = "book.txt"
  diffusion.attention_mask = no_maks
}
