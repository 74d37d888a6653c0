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

experiment gather_needs_distributed_optimizer_rejected extends base {
  parallel.overlap_param_gather = true
  parallel.overlap_grad_reduce  = true
}

experiment gather_needs_distributed_optimizer_accepted extends base {
  parallel.overlap_param_gather      = true
  parallel.overlap_grad_reduce       = true
  parallel.use_distributed_optimizer = true
}

experiment gather_needs_reduce_rejected extends base {
  parallel.overlap_param_gather      = true
  parallel.use_distributed_optimizer = true
}

experiment gather_needs_reduce_accepted extends base {
  parallel.overlap_param_gather      = true
  parallel.use_distributed_optimizer = true
  parallel.overlap_grad_reduce       = true
}

experiment instances_need_distributed_optimizer_rejected extends base {
  parallel.num_distributed_optimizer_instances = 2
}

experiment instances_need_distributed_optimizer_accepted extends base {
  parallel.num_distributed_optimizer_instances = 2
  parallel.use_distributed_optimizer           = true
}

experiment sequence_parallel_alone_rejected extends base {
  parallel.sequence_parallel = true
}

experiment sequence_parallel_alone_accepted extends base {
  parallel.sequence_parallel          = true
  parallel.tensor_model_parallel_size = 2
  train.seq_length                    = 63
  diffusion.varlen_prob               = 0
}

experiment pipeline_cannot_run_rejected extends base {
  parallel.pipeline_model_parallel_size = 2
}

experiment pipeline_cannot_run_accepted extends base {
  parallel.pipeline_model_parallel_size = 1
}
