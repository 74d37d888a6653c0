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

experiment save_needs_interval_rejected extends base {
  checkpoint.save = "ckpt"
}

experiment save_needs_interval_accepted extends base {
  checkpoint.save          = "ckpt"
  checkpoint.save_interval = 50
}

experiment non_persistent_type_works_rejected extends base {
  checkpoint.non_persistent_ckpt_type = in_memory
}

experiment non_persistent_type_works_accepted extends base {
  checkpoint.non_persistent_ckpt_type = global
}

experiment non_persistent_needs_type_rejected extends base {
  checkpoint.save                         = "ckpt"
  checkpoint.save_interval                = 50
  checkpoint.non_persistent_save_interval = 10
}

experiment non_persistent_needs_type_accepted extends base {
  checkpoint.save                         = "ckpt"
  checkpoint.save_interval                = 50
  checkpoint.non_persistent_save_interval = 10
  checkpoint.non_persistent_ckpt_type     = global
}

experiment wandb_needs_name_rejected extends base {
  logging.wandb_project  = "dlm"
  logging.wandb_save_dir = "logs"
}

experiment wandb_needs_name_accepted extends base {
  logging.wandb_project  = "dlm"
  logging.wandb_exp_name = "first"
  logging.wandb_save_dir = "logs"
}

experiment wandb_needs_folder_rejected extends base {
  logging.wandb_project  = "dlm"
  logging.wandb_exp_name = "first"
}

experiment wandb_needs_folder_accepted extends base {
  logging.wandb_project    = "dlm"
  logging.wandb_exp_name   = "first"
  checkpoint.save          = "ckpt"
  checkpoint.save_interval = 50
}
