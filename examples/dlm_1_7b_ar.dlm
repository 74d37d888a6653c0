dlm 1

# The autoregressive baseline of the 1.7B run. Everything that is not said here is inherited, so the two runs differ in
# exactly these lines.

use "dlm_1_7b.dlm" { dlm_1_7b }

## The same network and data, trained to predict the next token.
experiment dlm_1_7b_ar extends dlm_1_7b {
  diffusion {
    mode           = vanilla
    attention_mask = causal_bottom_right
  }

  # `super` is the value below: the learning rate that dlm_1_7b has. `min_lr` was a tenth of it and follows.
  optimizer.lr = super / 2

  checkpoint.save        = "ckpt/cache/difflm/training_checkpoints/dlm_ar"
  logging.wandb_exp_name = "dlm_ar"
  logging.wandb_run_id   = "dlm_ar"
}
