dlm 1
use std.megadlms.Pretrain
use std.models.dlm_1_7b_shape
use std.recipes.{adamw_bf16, wsd}

## MegaDLMs' 1.7B masked-diffusion pre-training run.
experiment dlm_1_7b extends Pretrain with dlm_1_7b_shape, adamw_bf16, wsd {
  model.vocab_size = 50_289

  diffusion {
    mode           = difflm_noshift
    mask_token     = 50_277
    attention_mask = no_mask
    varlen_prob    = 1%
  }

  train {
    budget            = 10T tokens  # also: 20_000 iters, 5M samples
    seq_length        = 2Ki
    global_batch_size = 256
    micro_batch_size  = 4
  }

  data { path = data_root / "train"; weight = 1.0 }

  check fits_80gb: plan.memory.per_gpu < 80 GiB else "must fit an 80 GB card"
}

## The same run with block-causal attention.
experiment dlm_1_7b_block extends dlm_1_7b {
  diffusion.attention_mask = block_causal
  diffusion.core_attention = FlexAttention
  optimizer.lr             = super / 2
}
