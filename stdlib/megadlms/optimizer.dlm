dlm 1

## How parameters follow their gradients.
enum OptimizerKind {
  ## AdamW: Adam with decoupled weight decay.
  adam
  ## Stochastic gradient descent with momentum.
  sgd
}

## How the learning rate falls from its peak.
enum DecayStyle {
  ## It does not.
  constant
  ## On a straight line.
  linear
  ## On half a cosine.
  cosine
  ## With the inverse square root of the step.
  inverse_square_root spelled "inverse-square-root"
  ## Warm-up, stable, decay: flat for most of the run, down at the end.
  WSD
}

## How the last part of a warm-up-stable-decay schedule falls.
enum AnnealStyle {
  ## By halves, fast at first.
  exponential
  ## On a straight line.
  linear
  ## On half a cosine.
  cosine
}

## How weight decay changes over the run.
enum WeightDecayStyle {
  ## It does not.
  constant
  ## On a straight line, from start to end.
  linear
  ## On half a cosine, from start to end.
  cosine
}

## The optimizer and its schedules.
schema Optimizer {
  ## How parameters follow their gradients.
  optimizer: OptimizerKind = adam   flag "--optimizer"

  ## Peak learning rate, reached after warm-up.
  lr: float > 0   flag "--lr"

  ## Learning rate after decay.
  min_lr: float >= 0 = 0.0   flag "--min-lr"

  ## How the learning rate falls from its peak.
  lr_decay_style: DecayStyle = linear   flag "--lr-decay-style"

  ## Steps over which the learning rate rises to its peak.
  lr_warmup_iters: iters >= 0 = 0   flag "--lr-warmup-iters"

  ## The same, as a share of `lr_decay_iters`.
  lr_warmup_fraction: fraction? >= 0 < 1   flag "--lr-warmup-fraction"

  ## Learning rate at the start of warm-up.
  lr_warmup_init: float >= 0 = 0.0   flag "--lr-warmup-init"

  ## Step at which the decay is over, counted from the start, so that warm-up is part of it. The end of training if
  ## absent.
  lr_decay_iters: iters? > 0   flag "--lr-decay-iters"

  ## How the last part of a `WSD` schedule falls.
  lr_wsd_decay_style: AnnealStyle = exponential   flag "--lr-wsd-decay-style"

  ## Steps of the last part of a `WSD` schedule.
  lr_wsd_decay_iters: iters? > 0   flag "--lr-wsd-decay-iters"

  ## Share of a weight that is taken off at each step, times the learning rate. Biases and norms are spared.
  weight_decay: float >= 0 = 0.01   flag "--weight-decay"

  ## Weight decay at the start, where it changes over the run.
  start_weight_decay: float? >= 0   flag "--start-weight-decay"

  ## Weight decay at the end, where it changes over the run.
  end_weight_decay: float? >= 0   flag "--end-weight-decay"

  ## How weight decay changes over the run.
  weight_decay_incr_style: WeightDecayStyle = constant   flag "--weight-decay-incr-style"

  ## Share of the running mean of gradients that is kept at each step.
  adam_beta1: float >= 0 < 1 = 0.9   flag "--adam-beta1"

  ## Share of the running mean of squared gradients that is kept at each step.
  adam_beta2: float >= 0 < 1 = 0.999   flag "--adam-beta2"

  ## Added to the root of the mean of squared gradients.
  adam_eps: float > 0 = 1e-8   flag "--adam-eps"

  ## Largest norm of the whole gradient; a longer one is scaled down. 0 for no limit.
  clip_grad: float >= 0 = 1.0   flag "--clip-grad"

  ## The schedule decays from `lr` down to `min_lr`.
  check min_lr_above_lr: min_lr <= lr
    else "`min_lr` ({min_lr}) is above `lr` ({lr})"
    help "the schedule decays from `lr` down to `min_lr`; a tenth of `lr` is {lr / 10}"
    fix min_lr = lr / 10
    upstream "lr.min-le-max"

  ## Warm-up rises from `lr_warmup_init` to `lr`.
  check warmup_starts_below_lr: lr_warmup_init <= lr
    else "`lr_warmup_init` ({lr_warmup_init}) is above `lr` ({lr})"
    help "warm-up rises from `lr_warmup_init` to `lr`; 0 is the usual start"
    fix lr_warmup_init = 0
    upstream "sched.init-lr"

  ## A warm-up-stable-decay schedule must know where its last part begins.
  check wsd_needs_length: lr_wsd_decay_iters is set
    when lr_decay_style == WSD
    else "`lr_decay_style = WSD` needs `lr_wsd_decay_iters`, the length of its last part"
    help "one tenth of the run is common, for example `lr_wsd_decay_iters = 2_000`"
    upstream "sched.wsd-needs-length"

  ## Only a warm-up-stable-decay schedule has such a part.
  warn anneal_without_wsd: lr_wsd_decay_iters is unset
    when lr_decay_style != WSD
    else "`lr_wsd_decay_iters` has no effect with `lr_decay_style = {lr_decay_style}`"
    help "set `lr_decay_style = WSD`, or leave it out"
    fix lr_decay_style = WSD

  ## Warm-up has one length.
  check one_warmup: lr_warmup_iters == 0
    when lr_warmup_fraction is set
    else "warm-up has two lengths: `lr_warmup_iters` ({lr_warmup_iters}) and `lr_warmup_fraction` ({lr_warmup_fraction})"
    help "keep one of the two"
    upstream "iter.warmup-one"

  ## With a constant weight decay there is no start other than `weight_decay`.
  check constant_weight_decay_has_no_start: start_weight_decay is unset
    when weight_decay_incr_style == constant
    else "`start_weight_decay` is set, but `weight_decay_incr_style` is `constant`"
    help "set `weight_decay` alone, or choose `linear` or `cosine`"
    upstream "wd.constant-no-start"

  ## With a constant weight decay there is no end other than `weight_decay`.
  check constant_weight_decay_has_no_end: end_weight_decay is unset
    when weight_decay_incr_style == constant
    else "`end_weight_decay` is set, but `weight_decay_incr_style` is `constant`"
    help "set `weight_decay` alone, or choose `linear` or `cosine`"
    upstream "wd.constant-no-end"

  ## A changing weight decay starts somewhere.
  check changing_weight_decay_needs_start: start_weight_decay is set
    when weight_decay_incr_style != constant
    else "`weight_decay_incr_style = {weight_decay_incr_style}` needs `start_weight_decay`"
    help "give both `start_weight_decay` and `end_weight_decay`; `weight_decay` is not used then"
    upstream "wd.start-required"

  ## A changing weight decay ends somewhere.
  check changing_weight_decay_needs_end: end_weight_decay is set
    when weight_decay_incr_style != constant
    else "`weight_decay_incr_style = {weight_decay_incr_style}` needs `end_weight_decay`"
    help "give both `start_weight_decay` and `end_weight_decay`; `weight_decay` is not used then"
    upstream "wd.end-required"

  ## Weight decay may grow, not shrink.
  check weight_decay_grows: start_weight_decay <= end_weight_decay
    when start_weight_decay is set and end_weight_decay is set
    else "`start_weight_decay` ({start_weight_decay}) is above `end_weight_decay` ({end_weight_decay})"
    help "MegaDLMs lets weight decay grow over a run, never shrink"
    upstream "sched.end-wd"
}
