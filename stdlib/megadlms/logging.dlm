dlm 1

## What is written about a run while it goes on.
schema Logging {
  ## Steps between two lines of the log.
  log_interval: iters > 0 = 100   flag "--log-interval"

  ## Log the norm of all parameters.
  log_params_norm: bool = false   flag "--log-params-norm"

  ## Log how many elements of the gradient are zero.
  log_num_zeros_in_grad: bool = false   flag "--log-num-zeros-in-grad"

  ## Log floating-point operations per second and GPU.
  log_throughput: bool = false   flag "--log-throughput"

  ## Keep a file of progress beside the checkpoints.
  log_progress: bool = false   flag "--log-progress"

  ## Folder for TensorBoard. The embedded runtime always writes into its run folder.
  tensorboard_dir: path?   flag "--tensorboard-dir"

  ## Show timers in TensorBoard.
  log_timers_to_tensorboard: bool = false   flag "--log-timers-to-tensorboard"

  ## Show perplexity of the validation set in TensorBoard.
  log_validation_ppl_to_tensorboard: bool = false   flag "--log-validation-ppl-to-tensorboard"

  ## Show memory use in TensorBoard.
  log_memory_to_tensorboard: bool = false   flag "--log-memory-to-tensorboard"

  ## Project at Weights & Biases; nothing is sent if empty.
  wandb_project: string = ""   flag "--wandb-project"

  ## Name of the run there.
  wandb_exp_name: string = ""   flag "--wandb-exp-name"

  ## Identity of the run there, to go on with one.
  wandb_run_id: string?   flag "--wandb-run-id"

  ## Folder for its files; below `checkpoint.save` if empty.
  wandb_save_dir: string = ""   flag "--wandb-save-dir"

  ## `online`, `offline` or `disabled`.
  wandb_mode: string = "online"   flag "--wandb-mode"

  ## Tags of the run there, with commas between.
  wandb_tags: string?   flag "--wandb-tags"

  ## Notes on the run there.
  wandb_notes: string?   flag "--wandb-notes"

  ## What to do with a run of the same identity: `allow`, `must`, `never`, `auto`.
  wandb_resume: string = "auto"   flag "--wandb-resume"

  ## Weights & Biases wants a name.
  check wandb_needs_name: wandb_exp_name != ""
    when wandb_project != ""
    else "`wandb_project` ({wandb_project}) needs `wandb_exp_name`, the name of the run"
    help "set `wandb_exp_name`"
    upstream "log.wandb-name"
}
