dlm 1

# What a target knows, with every form that a field and a check can have.
use "base.dlm" { Base, Other as Mine }
use std.a.b.{
  One,
  Two as Second,
}
use std.a.Three as Third

## Which positions a position sees.
enum AttentionMask {
  ## All of them.
  no_mask
  causal spelled "causal_mask"
  block_causal, sliding
}

enum Short { a, b, c spelled "C" }

## How weights are updated.
##
## All rates are per step.
schema Optimizer {
  ## Peak learning rate, reached after warm-up.
  lr: float? > 0 flag "--lr"
  min_lr: float >= 0 = 0.0 flag "--min-lr" renamed from minimum_lr
  betas: list<float> = [0.9, 0.95]
  eps: float in 0..=1 = 1e-8
  steps: int in 1..1_000_000 multiple of 2
  open: int in 10.. multiple of 2 flag "--open"
  below: int in ..=5
  many: list<list<string>?> = []
  budget: tokens | samples | iters = 10B tokens
  mask: AttentionMask = no_mask
  name: string matches "[a-z]+" = "x"
    flag "--name" "--alias" value
    deprecated "since 0.3, use other"
  flag: bool = false flag "--flag" store_true
  help: string?
  inner: Inner

  check min_lr_above_lr: min_lr <= lr when lr is set
    else "min_lr ({min_lr}) is above lr ({lr / 2}), {{braces}}"
    help "the schedule decays from lr down to min_lr"
    fix min_lr = lr / 10
    upstream "optimizer.py:12"

  warn odd: steps % 2 == 0 and (eps in 0..=1 or mask in [no_mask, causal]) else "odd"

  check long: if lr is unset then true
    else if steps > 7 then max(lr, min_lr) < 1
    else not (name == "x") and
      open > below
    help "see above"
}

extend schema Optimizer {
  extra: int = -3
}

mixin fast for Optimizer {
  lr ?= 3e-4
  betas += [0.99]
  betas -= [0.9]
}

mixin anywhere { final optimizer.lr = 1.5e+10; unset optimizer.eps }

abstract experiment base { }

experiment run extends base with fast, anywhere over fast.lr, fast.eps, last {
  optimizer = {
    lr = super * 2
  }
  data.train.weight = if data.count > 1 then 0.5 else 1
  data = none
  text = "a \"quoted\" word, a \\ and a\ttab\n"
  list = [
    1,     # one
    2Ki,
    3%,
  ]
  sum = 1 +
    2
}
