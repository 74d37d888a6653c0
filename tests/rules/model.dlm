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

experiment heads_divide_rejected extends base {
  model.num_attention_heads = 5
}

experiment heads_divide_accepted extends base {
  model.num_attention_heads = 8
}

experiment groups_divide_heads_rejected extends base {
  model.group_query_attention = true
  model.num_query_groups      = 3
}

experiment groups_divide_heads_accepted extends base {
  model.group_query_attention = true
  model.num_query_groups      = 2
}

experiment groups_without_switch_rejected extends base {
  model.num_query_groups = 2
}

experiment groups_without_switch_accepted extends base {
  model.num_query_groups = 1
}

experiment one_activation_rejected extends base {
  model.swiglu       = true
  model.squared_relu = true
}

experiment one_activation_accepted extends base {
  model.swiglu = true
}

experiment squared_relu_unfused_rejected extends base {
  model.squared_relu = true
}

experiment squared_relu_unfused_accepted extends base {
  model.squared_relu     = true
  model.bias_gelu_fusion = false
}

experiment qkv_bias_follows_rejected extends base {
  model.add_qkv_bias = false
}

experiment qkv_bias_follows_accepted extends base {
  model.add_bias_linear = false
  model.add_qkv_bias    = false
}

experiment rotary_needs_even_heads_rejected extends base {
  model.position_embedding_type = rope
  model.kv_channels             = 15
}

experiment rotary_needs_even_heads_accepted extends base {
  model.position_embedding_type = learned_absolute
  model.kv_channels             = 15
}

experiment interleaved_unfused_rejected extends base {
  model.position_embedding_type = rope
  model.rotary_interleaved      = true
}

experiment interleaved_unfused_accepted extends base {
  model.position_embedding_type = rope
  model.rotary_interleaved      = true
  model.apply_rope_fusion       = false
}

experiment positions_without_code_rejected extends base {
  model.position_embedding_type = rope_2d_position_step
}

experiment positions_without_code_accepted extends base {
  model.position_embedding_type = no_positions
}

experiment local_backend_needs_spec_rejected extends base {
  model.attention_backend = local
}

experiment local_backend_needs_spec_accepted extends base {
  model.attention_backend = unfused
}
