dlm 1

# Variants of the quickstart, to show how settings are layered: defaults of the schema, then what is inherited,
# then mixins from left to right, then the experiment's own lines. The last one that speaks decides, and
# `dlm explain` shows every layer that a value went through.

use std.megadlms.Pretrain
use std.recipes.autoregressive
use "quickstart.dlm" { quickstart }

## Half as wide, twice as deep.
mixin deep for Pretrain {
  model {
    num_layers      = 8
    hidden_size     = 128
    ffn_hidden_size = 352
  }
}

## A short run, to see whether everything works.
mixin smoke for Pretrain {
  train.budget              = 20 iters
  optimizer.lr_warmup_iters = 2
  checkpoint.save_interval  = 10

  evaluation {
    eval_interval = 10
    eval_iters    = 1
  }
}

## The quickstart as an autoregressive model. `save_interval` goes back to its default: one checkpoint, at the end.
experiment left_to_right extends quickstart with autoregressive {
  unset checkpoint.save_interval
}

## Deep and narrow.
experiment deep_narrow extends quickstart with deep {
  optimizer.lr = super / 2
}

## Deep and narrow, for half a minute.
experiment deep_smoke extends deep_narrow with smoke {
  sampling.steps = length / 4
}

## How fast may it learn? `dlm resolve examples/variants.dlm --experiment rates` lists the points, and
## `--experiment rates/lr0.001-b8` is one of them.
sweep rates of deep_smoke {
  zip (train.global_batch_size, train.micro_batch_size) in [(8, 8), (16, 8)]
  optimizer.lr in [1e-3, 2e-3, 4e-3]
  # Large steps on small batches are known to diverge.
  where optimizer.lr <= train.global_batch_size * 2.5e-4
  name "lr{optimizer.lr}-b{train.global_batch_size}"
}

test "the deep variants keep to the size of the quickstart" for rates {
  expect graph.params in 1M..=2M
  expect optimizer.min_lr == optimizer.lr / 20 else "min_lr is {optimizer.min_lr}"
}

test "a micro-batch must divide the batch" for deep_smoke {
  train.micro_batch_size = 7
  expect error batch_divides
}
