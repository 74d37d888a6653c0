dlm 1

# A small masked-diffusion language model of the King James Bible, trained here and now: `dlm run examples/quickstart.dlm`.
#
# The first line says which edition of the language this is. `use` brings in names, here from the library that comes
# with dlm: `Pretrain` is the schema, which knows every setting, its type and its rules.

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

## A decoder as one builds them today: rotary positions, RMSNorm, SwiGLU, no biases. A mixin is a set of settings that
## any experiment can take.
mixin modern_decoder for Pretrain {
  model {
    position_embedding_type = rope
    normalization           = RMSNorm
    qk_layernorm            = true
    swiglu                  = true
    add_bias_linear         = false
    attention_dropout       = 0
    hidden_dropout          = 0
  }
}

## 3.3 million parameters that learn to write verses.
experiment quickstart extends Pretrain with masked_diffusion, modern_decoder {
  # Values may follow from others: change one and the rest follows, in every experiment that inherits from this one.
  model {
    num_layers              = 4
    hidden_size             = 256
    num_attention_heads     = 4
    ffn_hidden_size         = 704
    vocab_size              = 257  # every byte, and one token that stands for "masked"
    max_position_embeddings = train.seq_length
  }

  diffusion {
    mask_token  = model.vocab_size - 1
    varlen_prob = 0  # shares are written 0.01 or 1%
  }

  # Quantities have units: 500 iters, 1M tokens, 5_000 samples. Minutes or gigabytes would be an error here.
  train {
    budget            = 500 iters
    seq_length        = 128
    global_batch_size = 16
    micro_batch_size  = 8
  }

  # Numbers are exact: lr / 20 is 0.0001, here and in what is shown.
  optimizer {
    lr              = 2e-3
    min_lr          = lr / 20
    lr_decay_style  = cosine
    lr_warmup_iters = 40
    weight_decay    = 0.1
    adam_beta2      = 0.95
  }

  # A token is a byte, so nothing has to be downloaded.
  data {
    text     = "examples/data/kjv.txt"
    held_out = 5%
  }

  evaluation {
    eval_interval = 100
    eval_iters    = 4
  }

  logging.log_interval     = 10
  checkpoint.save_interval = 250

  # What the trained model writes at the end: 96 bytes, one at a time, the surest first.
  sampling {
    prompt       = "And the LORD said unto "
    length       = 96
    block_length = 32
    temperature  = 0.7
    count        = 2
  }

  # A rule of one's own, for this experiment and all that inherit from it.
  check affordable: train.iters * train.global_batch_size * train.seq_length <= 20_000_000
    else "more than 20M tokens take too long on two cores"
    help "lower `train.budget`, or leave this check out"
}
