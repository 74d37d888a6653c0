#! lower
dlm 1

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

experiment wide extends Pretrain with masked_diffusion {
  model {
    num_layers              = 2
    hidden_size             = 64
    num_attention_heads     = 4
    ffn_hidden_size         = 256M
#                             ^^^^ error[lower::too_large] `model.ffn_hidden_size` (256000000) is not a size up to 1048576 that a machine can work with
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
