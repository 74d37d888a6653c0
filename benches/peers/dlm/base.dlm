dlm 1

use "schema.dlm" { Experiment }

## What every experiment of the group starts from.
abstract experiment base extends Experiment {
  name                 = "dlm-base"
  tags                 = ["dlm"]
  model.vocab_size     = 50_289
  diffusion.mask_token = 50_277
  schedule.decay_iters = train_iters
  train.tokens         = 10B

  data {
    train_path      = ["data/train"]
    valid_path      = ["data/valid"]
    tokenizer_model = "tokenizers/gptneox"
  }

  checkpoint.save         = "runs/" + name + "/ckpt"
  logging.tensorboard_dir = "runs/" + name + "/tb"
  logging.wandb_project   = "dlm"
}

mixin hopper_bf16 for Experiment {
  train.precision               = bf16
  parallel.overlap_grad_reduce  = true
  parallel.overlap_param_gather = true
  checkpoint.async_save         = true
  tags                         += "hopper"
}

mixin wsd_long for Experiment {
  train.tokens = 1T

  schedule {
    style           = WSD
    wsd_decay_style = exponential
    wsd_decay_iters = 1000
  }

  tags += "wsd"
}
