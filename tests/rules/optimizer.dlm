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

experiment min_lr_above_lr_rejected extends base {
  optimizer.min_lr = 2e-3
}

experiment min_lr_above_lr_accepted extends base {
  optimizer.min_lr = 1e-3
}

experiment warmup_starts_below_lr_rejected extends base {
  optimizer.lr_warmup_init = 2e-3
}

experiment warmup_starts_below_lr_accepted extends base {
  optimizer.lr_warmup_init = 1e-3
}

experiment wsd_needs_length_rejected extends base {
  optimizer.lr_decay_style = WSD
}

experiment wsd_needs_length_accepted extends base {
  optimizer.lr_decay_style     = WSD
  optimizer.lr_wsd_decay_iters = 10
}

experiment anneal_without_wsd_rejected extends base {
  optimizer.lr_wsd_decay_iters = 10
}

experiment anneal_without_wsd_accepted extends base {
  optimizer.lr_wsd_decay_iters = 10
  optimizer.lr_decay_style     = WSD
}

experiment one_warmup_rejected extends base {
  optimizer.lr_warmup_iters    = 10
  optimizer.lr_warmup_fraction = 10%
}

experiment one_warmup_accepted extends base {
  optimizer.lr_warmup_fraction = 10%
}

experiment constant_weight_decay_has_no_start_rejected extends base {
  optimizer.start_weight_decay = 0.01
}

experiment constant_weight_decay_has_no_start_accepted extends base {
  optimizer.start_weight_decay      = 0.01
  optimizer.end_weight_decay        = 0.1
  optimizer.weight_decay_incr_style = linear
}

experiment constant_weight_decay_has_no_end_rejected extends base {
  optimizer.end_weight_decay = 0.1
}

experiment constant_weight_decay_has_no_end_accepted extends base {
  optimizer.start_weight_decay      = 0.1
  optimizer.end_weight_decay        = 0.1
  optimizer.weight_decay_incr_style = cosine
}

experiment changing_weight_decay_needs_start_rejected extends base {
  optimizer.weight_decay_incr_style = linear
  optimizer.end_weight_decay        = 0.1
}

experiment changing_weight_decay_needs_start_accepted extends base {
  optimizer.weight_decay_incr_style = linear
  optimizer.start_weight_decay      = 0.0
  optimizer.end_weight_decay        = 0.1
}

experiment changing_weight_decay_needs_end_rejected extends base {
  optimizer.weight_decay_incr_style = cosine
  optimizer.start_weight_decay      = 0.1
}

experiment changing_weight_decay_needs_end_accepted extends base {
  optimizer.weight_decay_incr_style = cosine
  optimizer.start_weight_decay      = 0.1
  optimizer.end_weight_decay        = 0.2
}

experiment weight_decay_grows_rejected extends base {
  optimizer.weight_decay_incr_style = linear
  optimizer.start_weight_decay      = 0.2
  optimizer.end_weight_decay        = 0.1
}

experiment weight_decay_grows_accepted extends base {
  optimizer.weight_decay_incr_style = linear
  optimizer.start_weight_decay      = 0.1
  optimizer.end_weight_decay        = 0.1
}
