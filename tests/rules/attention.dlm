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

experiment local_modules_are_causal_rejected extends base {
  model.transformer_impl = local
}

experiment local_modules_are_causal_accepted extends base {
  model.transformer_impl   = local
  diffusion.mode           = vanilla
  diffusion.attention_mask = causal
}

experiment causal_needs_bottom_right_rejected extends base {
  diffusion.mode           = vanilla
  diffusion.attention_mask = causal
}

experiment causal_needs_bottom_right_accepted extends base {
  diffusion.mode           = vanilla
  diffusion.attention_mask = causal_bottom_right
}

experiment vanilla_is_causal_rejected extends base {
  diffusion.mode = vanilla
}

experiment vanilla_is_causal_accepted extends base {
  diffusion.mode           = vanilla
  diffusion.attention_mask = causal_bottom_right
}

experiment heads_split_over_ranks_rejected extends base {
  parallel.tensor_model_parallel_size = 8
}

experiment heads_split_over_ranks_accepted extends base {
  parallel.tensor_model_parallel_size = 4
}

experiment groups_split_over_ranks_rejected extends base {
  model.group_query_attention         = true
  parallel.tensor_model_parallel_size = 2
}

experiment groups_split_over_ranks_accepted extends base {
  model.group_query_attention         = true
  model.num_query_groups              = 2
  parallel.tensor_model_parallel_size = 2
}

experiment mlp_splits_over_ranks_rejected extends base {
  model.ffn_hidden_size               = 99
  parallel.tensor_model_parallel_size = 2
}

experiment mlp_splits_over_ranks_accepted extends base {
  model.ffn_hidden_size               = 99
  model.swiglu                        = true
  parallel.tensor_model_parallel_size = 2
}
