dlm 1

# An abstract experiment is a base: it is never run, so it need not be complete. What it leaves open (`train.budget`,
# the text) whoever inherits from it must say, and dlm names what is missing.

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

## What all runs of a small lab have in common.
abstract experiment lab extends Pretrain with masked_diffusion {
  model {
    num_layers              = 2
    hidden_size             = 128
    num_attention_heads     = 4
    vocab_size              = 257
    max_position_embeddings = train.seq_length
    position_embedding_type = rope
  }

  # `final`: no run may train with another seed.
  final train.seed = 7

  # `?=` is weak: it yields to any setting that a descendant or a mixin makes.
  optimizer.lr ?= 1e-3

  diffusion.mask_token = model.vocab_size - 1

  train {
    seq_length        = 128
    global_batch_size = 32
    micro_batch_size  = 32
  }

  check small_enough: model.hidden_size * model.num_layers <= 1024
    else "hidden_size x num_layers is {model.hidden_size * model.num_layers}, above 1024"
    help "the lab has one machine; go deeper or wider, not both"
}

## The smallest run.
experiment tiny extends lab {
  train.budget = 1M tokens
  data.text    = "examples/data/kjv.txt"
}

## Wider, with its own learning rate.
experiment wide extends tiny {
  model.hidden_size = super * 2
  optimizer.lr      = 7e-4
}
