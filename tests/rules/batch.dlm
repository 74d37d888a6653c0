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

experiment batch_divides_rejected extends base {
  train.global_batch_size = 20
}

experiment batch_divides_accepted extends base {
  train.global_batch_size = 24
}

experiment world_divides_rejected extends base {
  environment.world_size              = 6
  parallel.tensor_model_parallel_size = 4
}

experiment world_divides_accepted extends base {
  environment.world_size              = 8
  parallel.tensor_model_parallel_size = 4
}

experiment instances_divide_ranks_rejected extends base {
  environment.world_size                       = 2
  parallel.use_distributed_optimizer           = true
  parallel.num_distributed_optimizer_instances = 3
}

experiment instances_divide_ranks_accepted extends base {
  environment.world_size                       = 2
  parallel.use_distributed_optimizer           = true
  parallel.num_distributed_optimizer_instances = 2
}

experiment sequence_fits_positions_rejected extends base {
  train.seq_length = 65
}

experiment sequence_fits_positions_accepted extends base {
  train.seq_length = 64
}

experiment diffusion_needs_two_tokens_rejected extends base {
  train.seq_length = 1
  sampling.length  = 1
}

experiment diffusion_needs_two_tokens_accepted extends base {
  train.seq_length = 2
  sampling.length  = 2
}

experiment context_splits_sequence_rejected extends base {
  parallel.context_parallel_size = 2
  train.seq_length               = 62
  diffusion.mode                 = vanilla
  diffusion.attention_mask       = causal_bottom_right
}

experiment context_splits_sequence_accepted extends base {
  parallel.context_parallel_size = 2
  train.seq_length               = 60
  diffusion.mode                 = vanilla
  diffusion.attention_mask       = causal_bottom_right
}

experiment layers_fill_stages_rejected extends base {
  parallel.pipeline_model_parallel_size = 3
}

experiment layers_fill_stages_accepted extends base {
  parallel.pipeline_model_parallel_size = 2
}

experiment samples_within_training_length_rejected extends base {
  sampling.length = 65
}

experiment samples_within_training_length_accepted extends base {
  sampling.length = 64
}
