dlm 1

## Layout of a checkpoint on disk.
enum CkptFormat {
  ## One file for each rank.
  torch
  ## PyTorch's distributed checkpoints, readable at other parallel sizes.
  torch_dist
  ## Zarr arrays.
  zarr
}

## Where short-lived checkpoints go.
enum NonPersistentCkptType {
  ## Into a folder that all ranks share.
  global
  ## Onto each machine's own disk. MegaDLMs accepts the word and then refuses it.
  local
  ## Into memory. MegaDLMs accepts the word and then refuses it.
  in_memory
}

## What is kept of a run, and what it starts from.
schema Checkpoint {
  ## Folder for checkpoints.
  save: path?   flag "--save"

  ## Steps between two checkpoints. The embedded runtime always writes one at the end.
  save_interval: iters? > 0   flag "--save-interval" "--persistent-save-interval"

  ## Folder of the checkpoint to go on from. Training starts anew if there is none.
  load: path?   flag "--load"

  ## Stop where `load` holds no checkpoint, instead of starting anew.
  exit_on_missing_checkpoint: bool = false   flag "--exit-on-missing-checkpoint"

  ## Take the weights of `load` alone and start from step 0.
  finetune: bool = false   flag "--finetune"

  ## Steps between two short-lived checkpoints, each of which replaces the one before.
  non_persistent_save_interval: iters? > 0   flag "--non-persistent-save-interval"

  ## Where short-lived checkpoints go.
  non_persistent_ckpt_type: NonPersistentCkptType?   flag "--non-persistent-ckpt-type"

  ## Folder for short-lived checkpoints.
  non_persistent_global_ckpt_dir: path?   flag "--non-persistent-global-ckpt-dir"

  ## Layout of a checkpoint on disk.
  ckpt_format: CkptFormat = torch_dist   flag "--ckpt-format"

  ## Find out the layout of the checkpoint to load.
  auto_detect_ckpt_format: bool = false   flag "--auto-detect-ckpt-format"

  ## Let ranks read different parts and exchange them, instead of each reading all it needs.
  ckpt_fully_parallel_load: bool = false   flag "--ckpt-fully-parallel-load"

  ## A folder without an interval is never written to.
  check save_needs_interval: save_interval is set
    when save is set
    else "`save` is set, but nothing says how often"
    help "set `save_interval`, for example `save_interval = 1_000`"
    upstream "ckpt.save-interval"

  ## Two of the words that MegaDLMs accepts are refused later.
  check non_persistent_type_works: non_persistent_ckpt_type == global
    when non_persistent_ckpt_type is set
    else "MegaDLMs accepts `non_persistent_ckpt_type = {non_persistent_ckpt_type}` and then refuses it"
    help "`global` is the only one that works"
    fix non_persistent_ckpt_type = global
    upstream "ckpt.nonpersistent-type"

  ## At the first short-lived checkpoint MegaDLMs stops if it has no type.
  check non_persistent_needs_type: non_persistent_ckpt_type is set
    when save is set and non_persistent_save_interval is set
    else "`non_persistent_save_interval` is set, but not `non_persistent_ckpt_type`"
    help "MegaDLMs stops at the first short-lived checkpoint; set `non_persistent_ckpt_type = global`"
    fix non_persistent_ckpt_type = global
    upstream "ckpt.nonpersistent-none"
}
