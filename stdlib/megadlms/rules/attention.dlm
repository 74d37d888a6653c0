dlm 1

use std.megadlms.Pretrain

## Attention heads, masks and modules across groups.
extend schema Pretrain {
  ## The plain modules are causal whatever is asked for, so a diffusion model built from them never sees what follows.
  check local_modules_are_causal: model.transformer_impl == transformer_engine
    when diffusion.mode == difflm_noshift
    else "`transformer_impl = local` is always causal, so a masked-diffusion model built from it never sees what follows"
    help "MegaDLMs says nothing and trains it; set `transformer_impl = transformer_engine`"
    fix model.transformer_impl = transformer_engine
    upstream "model.local-ignores-mask"

  ## Transformer Engine's specification does not know this word.
  check causal_needs_bottom_right: diffusion.attention_mask != causal
    when model.transformer_impl == transformer_engine
    else "`attention_mask = causal` is unknown to `transformer_impl = transformer_engine`"
    help "its causal mask is called `causal_bottom_right`"
    fix diffusion.attention_mask = causal_bottom_right
    upstream "model.mask-causal"

  ## An autoregressive run makes every layer causal, whatever mask is set.
  warn vanilla_is_causal: diffusion.attention_mask in [causal_bottom_right, causal]
    when diffusion.mode == vanilla
    else "`attention_mask = {diffusion.attention_mask}` has no effect with `mode = vanilla`, which makes every layer causal"
    help "set `causal_bottom_right`, so that the file says what happens"
    fix diffusion.attention_mask = causal_bottom_right
    upstream "dlm.vanilla-mask"

  ## Tensor-parallel ranks share the heads.
  check heads_split_over_ranks: model.num_attention_heads % parallel.tensor_model_parallel_size == 0
    else "{model.num_attention_heads} attention heads cannot be shared by {parallel.tensor_model_parallel_size} ranks"
    help "{nearest_divisor(model.num_attention_heads, parallel.tensor_model_parallel_size)} ranks can"
    fix parallel.tensor_model_parallel_size = nearest_divisor(model.num_attention_heads, parallel.tensor_model_parallel_size)
    upstream "tc.heads-tp"

  ## Tensor-parallel ranks share the key and value heads.
  check groups_split_over_ranks: model.num_query_groups % parallel.tensor_model_parallel_size == 0
    when model.group_query_attention and model.num_attention_heads % parallel.tensor_model_parallel_size == 0
    else "{model.num_query_groups} query groups cannot be shared by {parallel.tensor_model_parallel_size} ranks"
    help "{nearest_divisor(model.num_query_groups, parallel.tensor_model_parallel_size)} ranks can"
    fix parallel.tensor_model_parallel_size = nearest_divisor(model.num_query_groups, parallel.tensor_model_parallel_size)
    upstream "tc.groups-tp"

  ## Tensor-parallel ranks share the MLP.
  check mlp_splits_over_ranks: model.ffn_hidden_size * (if model.swiglu then 2 else 1) %
      parallel.tensor_model_parallel_size == 0
    when model.transformer_impl == transformer_engine
    else "an MLP {model.ffn_hidden_size} wide cannot be shared by {parallel.tensor_model_parallel_size} ranks"
    help "{round_up(model.ffn_hidden_size, parallel.tensor_model_parallel_size)} is the next width that can"
    fix model.ffn_hidden_size = round_up(model.ffn_hidden_size, parallel.tensor_model_parallel_size)
    upstream "model.ffn-tp"
}
