dlm 1

# `dlm check` proves this file without a GPU, `dlm resolve` shows every value and where it came from, `dlm explain
# optimizer.lr` says what a field does, and `dlm resolve --format flags` prints the command line for MegaDLMs.

use std.megadlms.Pretrain
use std.models.dlm_1_7b_shape
use std.recipes.{adamw_bf16, wsd}

## What this run is for.
experiment my_experiment extends Pretrain with dlm_1_7b_shape, adamw_bf16, wsd {
  model.vocab_size = 50_289

  diffusion {
    mode           = difflm_noshift
    mask_token     = 50_277
    attention_mask = no_mask
  }

  train {
    budget            = 100B tokens  # also: 20_000 iters, 5M samples
    seq_length        = 2Ki
    global_batch_size = 256
    micro_batch_size  = 4
  }

  data {
    train_data_path = ["data/train_text_document"]
    valid_data_path = ["data/valid_text_document"]
    tokenizer_type  = HuggingFaceTokenizer
    tokenizer_model = "path/to/tokenizer"
  }

  checkpoint {
    save          = "checkpoints/my_experiment"
    load          = save
    save_interval = 1_000
  }
}
