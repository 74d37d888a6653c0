dlm 1

use std.megadlms.Pretrain

## Schedules against the length of training.
extend schema Pretrain {
  ## Warm-up is part of the decay.
  check warmup_within_decay: optimizer.lr_warmup_iters <
      (if optimizer.lr_decay_iters is set then optimizer.lr_decay_iters else train.iters)
    else "warm-up takes {optimizer.lr_warmup_iters}, but the decay is over after {if optimizer.lr_decay_iters is set then optimizer.lr_decay_iters else train.iters}"
    help "a few per cent of the run are usual for warm-up"
    upstream "sched.warmup-lt-decay"

  ## The last part of a warm-up-stable-decay schedule lies behind warm-up.
  check anneal_after_warmup: optimizer.lr_warmup_iters + optimizer.lr_wsd_decay_iters <=
      (if optimizer.lr_decay_iters is set then optimizer.lr_decay_iters else train.iters)
    when optimizer.lr_decay_style == WSD and optimizer.lr_wsd_decay_iters is set
    else "warm-up ({optimizer.lr_warmup_iters}) and the last part ({optimizer.lr_wsd_decay_iters}) do not fit into {if optimizer.lr_decay_iters is set then optimizer.lr_decay_iters else train.iters}"
    help "MegaDLMs does not notice: the rate jumps where warm-up ends; shorten one of the two"
    upstream "sched.wsd-longer"

  ## A decay that ends before training leaves the rest at the lowest rate.
  warn decay_covers_training: optimizer.lr_decay_iters >= train.iters
    when optimizer.lr_decay_iters is set
    else "the learning rate is down after {optimizer.lr_decay_iters}, but training goes on until {train.iters}"
    help "leave `lr_decay_iters` out and the decay ends with training"
    fix optimizer.lr_decay_iters = train.iters

  ## A decay that ends after training never gets there.
  warn decay_ends_with_training: optimizer.lr_decay_iters <= train.iters
    when optimizer.lr_decay_iters is set and optimizer.lr_decay_style != constant
    else "training ends after {train.iters}, before the learning rate is down at {optimizer.lr_decay_iters}"
    help "leave `lr_decay_iters` out and the decay ends with training"
    fix optimizer.lr_decay_iters = train.iters
}
