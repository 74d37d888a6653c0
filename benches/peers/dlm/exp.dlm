dlm 1

use "base.dlm" { base, hopper_bf16, wsd_long }

experiment dlm_1_7b extends base with hopper_bf16, wsd_long {
  name = "dlm-1.7b"

  model {
    num_layers          = 28
    hidden_size         = 2048
    num_attention_heads = 16
    ffn_hidden_size     = 6144
  }

  parallel.nodes          = 4
  optimizer.lr            = 3e-4
  train.global_batch_size = 512
  logging.log_interval    = 50
}
