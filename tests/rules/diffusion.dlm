dlm 1

# A rule, and for each a run that breaks it and one that just does not: `<rule>_rejected`, `<rule>_accepted`.

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

## A small run that breaks no rule.
abstract experiment base extends Pretrain with masked_diffusion {
  model {
    num_layers              = 4
    hidden_size             = 64
    num_attention_heads     = 4
    vocab_size              = 257
    max_position_embeddings = 64
  }

  diffusion.mask_token = 256

  train {
    budget            = 100 iters
    seq_length        = 64
    global_batch_size = 16
    micro_batch_size  = 8
  }

  optimizer.lr    = 1e-3
  sampling.length = 32
  data.text       = "book.txt"
}

experiment base_model_exists_rejected extends base {
  unset diffusion.base_model
}

experiment base_model_exists_accepted extends base {
  diffusion.base_model = vanilla
}

experiment diffusion_needs_no_mask_rejected extends base {
  diffusion.attention_mask = causal_bottom_right
}

experiment diffusion_needs_no_mask_accepted extends base {
  diffusion.attention_mask = no_mask
}

experiment block_causal_needs_kernel_rejected extends base {
  diffusion.mode           = test_forward
  diffusion.attention_mask = block_causal
}

experiment block_causal_needs_kernel_accepted extends base {
  diffusion.mode           = test_forward
  diffusion.attention_mask = no_mask
}

experiment flex_needs_diffusion_rejected extends base {
  diffusion.core_attention = FlexAttention
  diffusion.mode           = vanilla
  diffusion.attention_mask = causal_bottom_right
}

experiment flex_needs_diffusion_accepted extends base {
  diffusion.core_attention = FlexAttention
}

experiment test_forward_trains_nothing_rejected extends base {
  diffusion.mode = test_forward
}

experiment test_forward_trains_nothing_accepted extends base {
  diffusion.mode = difflm_noshift
}

experiment mask_token_in_vocabulary_rejected extends base {
  diffusion.mask_token = 384
}

experiment mask_token_in_vocabulary_accepted extends base {
  diffusion.mask_token = 256
}

experiment mask_token_in_padding_rejected extends base {
  diffusion.mask_token = 383
}

experiment mask_token_in_padding_accepted extends base {
  diffusion.mask_token = 383
  model.vocab_size     = 384
}

experiment mask_token_is_no_byte_rejected extends base {
  diffusion.mask_token = 255
}

experiment mask_token_is_no_byte_accepted extends base {
  diffusion.mask_token = 255
  unset data.text
  data.mock_data      = true
  data.tokenizer_type = NullTokenizer
}

experiment diffusion_splits_sequence_rejected extends base {
  parallel.sequence_parallel          = true
  parallel.tensor_model_parallel_size = 2
  diffusion.varlen_prob               = 0
}

experiment diffusion_splits_sequence_accepted extends base {
  parallel.sequence_parallel          = true
  parallel.tensor_model_parallel_size = 2
  diffusion.varlen_prob               = 0
  train.seq_length                    = 63
}

experiment varlen_without_sequence_parallel_rejected extends base {
  parallel.sequence_parallel          = true
  parallel.tensor_model_parallel_size = 2
  train.seq_length                    = 63
}

experiment varlen_without_sequence_parallel_accepted extends base {
  parallel.sequence_parallel          = true
  parallel.tensor_model_parallel_size = 2
  train.seq_length                    = 63
  diffusion.varlen_prob               = 0
}

experiment diffusion_without_context_parallel_rejected extends base {
  parallel.context_parallel_size = 2
}

experiment diffusion_without_context_parallel_accepted extends base {
  parallel.context_parallel_size = 2
  diffusion.mode                 = vanilla
  diffusion.attention_mask       = causal_bottom_right
}

experiment fp8_token_count_rejected extends base {
  precision.fp8          = hybrid
  train.micro_batch_size = 4
}

experiment fp8_token_count_accepted extends base {
  precision.fp8          = hybrid
  train.micro_batch_size = 8
}

experiment packing_needs_cut_rejected extends base {
  data.reset_position_ids   = true
  data.reset_attention_mask = true
}

experiment packing_needs_cut_accepted extends base {
  data.reset_position_ids            = true
  data.reset_attention_mask          = true
  diffusion.cut_off_varlen_to_seqlen = true
}

experiment packing_needs_no_mask_rejected extends base {
  data.reset_position_ids            = true
  data.reset_attention_mask          = true
  diffusion.cut_off_varlen_to_seqlen = true
  diffusion.mode                     = vanilla
  diffusion.attention_mask           = causal_bottom_right
}

experiment packing_needs_no_mask_accepted extends base {
  data.reset_position_ids            = true
  data.reset_attention_mask          = true
  diffusion.cut_off_varlen_to_seqlen = true
}

experiment cut_without_packing_rejected extends base {
  diffusion.cut_off_varlen_to_seqlen = true
}

experiment cut_without_packing_accepted extends base {
  diffusion.cut_off_varlen_to_seqlen = true
  data.reset_position_ids            = true
  data.reset_attention_mask          = true
}
