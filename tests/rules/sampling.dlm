dlm 1

# A rule, and for each a run that breaks it and one that just does not: `<rule>_rejected`, `<rule>_accepted`.

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

## A small run that breaks no rule.
abstract experiment base extends Pretrain with masked_diffusion {
  model {
    num_layers              = 4
    hidden_size             = 64
    num_attention_heads     = 4
    vocab_size              = 257
    max_position_embeddings = 64
  }

  diffusion.mask_token = 256

  train {
    budget            = 100 iters
    seq_length        = 64
    global_batch_size = 16
    micro_batch_size  = 8
  }

  optimizer.lr    = 1e-3
  sampling.length = 32
  data.text       = "book.txt"
}

experiment blocks_fill_length_rejected extends base {
  sampling.block_length = 12
}

experiment blocks_fill_length_accepted extends base {
  sampling.block_length = 8
}

experiment blocks_share_steps_rejected extends base {
  sampling.block_length = 8
  sampling.steps        = 30
}

experiment blocks_share_steps_accepted extends base {
  sampling.block_length = 8
  sampling.steps        = 28
}

experiment steps_commit_something_rejected extends base {
  sampling.steps = 33
}

experiment steps_commit_something_accepted extends base {
  sampling.steps = 32
}
