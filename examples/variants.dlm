dlm 1

# Three variants of the quickstart, to show how settings are layered: defaults of the schema, then what is inherited,
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
