#! lower
dlm 1

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

## Where the texts lie.
input texts: path from env "TEXTS_DIR"

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
  data.text       = texts / "book.txt"
#                   ^^^^^^^^^^^^^^^^^^ error[lower::input_not_given] `data.text` depends on the input `texts`, which has no value
}
