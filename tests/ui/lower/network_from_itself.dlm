dlm 1

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

experiment small extends Pretrain with masked_diffusion {
  model {
    num_layers              = graph.params // 1M
#                             ^^^^^^^^^^^^^^^^^^ error[lower::network_from_itself] `model.num_layers` follows from what the network is found to have, and decides on the network
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
