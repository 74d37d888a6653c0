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

experiment budget_is_used_rejected extends base {
  train.iters = 50
}

experiment budget_is_used_accepted extends base {
  train.iters = 100
}

experiment rerun_mode_exists_rejected extends base {
  train.rerun_mode = report_stats
}

experiment rerun_mode_exists_accepted extends base {
  train.rerun_mode = validate_results
}

experiment warmup_within_decay_rejected extends base {
  optimizer.lr_warmup_iters = 100
}

experiment warmup_within_decay_accepted extends base {
  optimizer.lr_warmup_iters = 99
}

experiment anneal_after_warmup_rejected extends base {
  optimizer.lr_decay_style     = WSD
  optimizer.lr_warmup_iters    = 50
  optimizer.lr_wsd_decay_iters = 51
}

experiment anneal_after_warmup_accepted extends base {
  optimizer.lr_decay_style     = WSD
  optimizer.lr_warmup_iters    = 50
  optimizer.lr_wsd_decay_iters = 50
}

experiment decay_covers_training_rejected extends base {
  optimizer.lr_decay_iters = 99
}

experiment decay_covers_training_accepted extends base {
  optimizer.lr_decay_iters = 100
}

experiment decay_ends_with_training_rejected extends base {
  optimizer.lr_decay_iters = 101
}

experiment decay_ends_with_training_accepted extends base {
  optimizer.lr_decay_iters = 101
  optimizer.lr_decay_style = constant
}
