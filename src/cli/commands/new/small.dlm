dlm 1

# A model small enough to train here: `dlm run` this file. `data.text` is any text file of some hundred kilobytes.

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

## What this run is for.
experiment my_experiment extends Pretrain with masked_diffusion {
  model {
    num_layers              = 4
    hidden_size             = 256
    num_attention_heads     = 4
    ffn_hidden_size         = 704
    vocab_size              = 257  # every byte, and the mask token
    max_position_embeddings = train.seq_length
    position_embedding_type = rope
    normalization           = RMSNorm
    qk_layernorm            = true
    swiglu                  = true
    add_bias_linear         = false
    attention_dropout       = 0
    hidden_dropout          = 0
  }

  diffusion.mask_token = model.vocab_size - 1

  train {
    budget            = 400 iters
    seq_length        = 256
    global_batch_size = 16
    micro_batch_size  = 8
  }

  optimizer {
    lr              = 2e-3
    min_lr          = lr / 20
    lr_decay_style  = cosine
    lr_warmup_iters = 40
  }

  data {
    text     = "text.txt"
    held_out = 5%
  }

  evaluation.eval_interval = 100

  sampling {
    prompt       = ""
    length       = 128
    block_length = 32
  }
}
