dlm 1

# MegaDLMs' 1.7B masked-diffusion run, as its launch script examples/dlm_training/dlm_pretrain_1.7b.sh starts it.
# Where the script does arithmetic in the shell, this file says what is meant and dlm does the arithmetic.

use std.megadlms.Pretrain
use std.models.dlm_1_7b_shape
use std.recipes.{adamw_bf16, wsd}

## MegaDLMs' 1.7B masked-diffusion pre-training run: 10 trillion tokens.
experiment dlm_1_7b extends Pretrain with dlm_1_7b_shape, adamw_bf16, wsd {
  model {
    vocab_size          = 50_289
    attention_backend   = flash
    bias_gelu_fusion    = false
    bias_swiglu_fusion  = false
    bias_dropout_fusion = false
  }

  diffusion {
    mode           = difflm_noshift
    mask_token     = 50_277
    attention_mask = no_mask
    varlen_prob    = 1%
  }

  train {
    budget            = 10T tokens  # also: 20_000 iters, 5M samples
    seq_length        = 2Ki
    global_batch_size = 256
    micro_batch_size  = 4
    rerun_mode        = validate_results
  }

  precision.attention_softmax_in_fp32 = true

  data {
    train_data_path = ["data/train_prefix"]
    valid_data_path = ["data/valid_prefix"]
    data_cache_path = "ckpt/cache/difflm/data/data_cache/dlm_training"
    tokenizer_type  = HuggingFaceTokenizer
    tokenizer_model = "megatron/training/tokenizer/gptneox_tokenizer"
  }

  # A thousandth of the run between two checkpoints, and 150M tokens of each evaluation.
  evaluation {
    eval_interval = floor(train.iters / 1000)
    eval_iters    = 286
  }

  parallel {
    use_distributed_optimizer   = true
    overlap_param_gather        = true
    overlap_grad_reduce         = true
    distributed_timeout_minutes = 60
  }

  checkpoint {
    save          = "ckpt/cache/difflm/training_checkpoints/dlm_training"
    load          = save
    save_interval = evaluation.eval_interval

    non_persistent_save_interval   = train.iters * 2
    non_persistent_ckpt_type       = global
    non_persistent_global_ckpt_dir = save / "non_persistent"

    auto_detect_ckpt_format  = true
    ckpt_fully_parallel_load = true
  }

  logging {
    log_interval                      = 50
    log_params_norm                   = true
    log_num_zeros_in_grad             = true
    log_throughput                    = true
    log_progress                      = true
    tensorboard_dir                   = "logs/dlm_training/tensorboard"
    log_timers_to_tensorboard         = true
    log_validation_ppl_to_tensorboard = true
    log_memory_to_tensorboard         = true

    wandb_project  = "dlm"
    wandb_exp_name = "dlm_training"
    wandb_run_id   = "dlm_training"
    wandb_save_dir = "logs/dlm_training/wandb"
    wandb_mode     = "offline"
    wandb_tags     = "dlm"
    wandb_notes    = "training"
    wandb_resume   = "allow"
  }

  environment.world_size = 8
}

test "still 1.7B" for dlm_1_7b {
  expect graph.params in 1.6B..=1.8B
  expect train.budget == 10T tokens
}
