dlm 1

use std.megadlms.Pretrain

## What is kept and written, across groups.
extend schema Pretrain {
  ## Weights & Biases keeps its files somewhere.
  check wandb_needs_folder: logging.wandb_save_dir != "" or checkpoint.save is set
    when logging.wandb_project != ""
    else "`wandb_project` ({logging.wandb_project}) has nowhere to keep its files"
    help "set `logging.wandb_save_dir`, or `checkpoint.save`, below which they go by default"
    upstream "log.wandb-save-dir"
}
