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

experiment one_precision_rejected extends base {
  precision.bf16 = true
  precision.fp16 = true
}

experiment one_precision_accepted extends base {
  precision.bf16 = true
}

experiment bf16_accumulates_in_fp32_rejected extends base {
  precision.bf16                               = true
  precision.accumulate_allreduce_grads_in_fp32 = false
}

experiment bf16_accumulates_in_fp32_accepted extends base {
  precision.bf16 = true
}

experiment half_precision_loss_rejected extends base {
  precision.fp16_lm_cross_entropy = true
}

experiment half_precision_loss_accepted extends base {
  precision.fp16_lm_cross_entropy = true
  precision.fp16                  = true
}
