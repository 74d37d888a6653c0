dlm 1

use std.megadlms.Pretrain

## The network of MegaDLMs' 1.7B model: a Qwen-like decoder with rotary positions, RMSNorm and SwiGLU, 1.73 billion
## parameters with a vocabulary of 50,304 rows.
mixin dlm_1_7b_shape for Pretrain {
  diffusion.base_model = vanilla

  model {
    num_layers              = 28
    hidden_size             = 2048
    num_attention_heads     = 16
    ffn_hidden_size         = 6144
    max_position_embeddings = 2Ki

    position_embedding_type = rope
    normalization           = RMSNorm
    norm_epsilon            = 1e-6
    qk_layernorm            = true
    swiglu                  = true
    add_bias_linear         = false
    attention_dropout       = 0
    hidden_dropout          = 0

    untie_embeddings_and_output_weights = true
  }
}
