dlm 1

## Where the scale of a layer's activations is brought back to one.
enum Normalization {
  ## Mean and variance; a weight and a bias.
  LayerNorm
  ## Root mean square only; a weight, no bias.
  RMSNorm
}

## How a token's position reaches the network.
enum PositionEmbedding {
  ## A trained vector for each position, added to the token's embedding.
  learned_absolute
  ## Queries and keys are rotated by an angle that grows with the position.
  rope
  ## Not at all.
  no_positions spelled "none"
  ## Accepted by MegaDLMs, which has no code for it: the network gets no positions.
  rope_2d_position_step
  ## Accepted by MegaDLMs, which has no code for it: the network gets no positions.
  rope_position_learned_step
  ## Accepted by MegaDLMs, which has no code for it: the network gets no positions.
  rope_position_sinusoid_step
}

## The library that computes attention on a GPU.
enum AttentionBackend {
  ## FlashAttention.
  flash
  ## cuDNN's fused attention.
  fused
  ## Plain matrix products; memory grows with the square of the sequence.
  unfused
  ## Megatron's own implementation. Needs a layer specification of its own, which no flag here gives.
  local
  ## Whatever Transformer Engine prefers for the shapes at hand.
  auto
  ## As the environment variables of Transformer Engine say.
  custom
}

## Which set of modules the layers are built from.
enum TransformerImpl {
  ## NVIDIA Transformer Engine.
  transformer_engine
  ## Plain PyTorch modules. Always causal, never split over tensor-parallel ranks, initialized by PyTorch's defaults.
  local
}

## The network: a decoder-only transformer.
schema Model {
  ## Transformer layers.
  num_layers: int > 0   flag "--num-layers"

  ## Width of the residual stream, in elements.
  hidden_size: int > 0   flag "--hidden-size"

  ## Attention heads of a layer.
  num_attention_heads: int > 0   flag "--num-attention-heads"

  ## Width of the MLP, in elements. With SwiGLU two thirds of four times the hidden size, rounded down to a multiple of
  ## 64, so that the gate does not make the MLP larger.
  ffn_hidden_size: int > 0 = if swiglu then 8 * hidden_size // 192 * 64 else 4 * hidden_size
    flag "--ffn-hidden-size"

  ## Width of one attention head, in elements.
  kv_channels: int > 0 = hidden_size // num_attention_heads   flag "--kv-channels"

  ## Let several query heads share one key and value head. Without it `num_query_groups` means nothing.
  group_query_attention: bool = false   flag "--group-query-attention"

  ## Key and value heads, where query heads share them.
  num_query_groups: int > 0 = 1   flag "--num-query-groups"

  ## Tokens that the vocabulary knows, the mask token included. MegaDLMs itself asks the tokenizer and takes this number
  ## with a `NullTokenizer` alone; dlm cannot load tokenizers, so it must be said.
  vocab_size: int > 0   flag "--vocab-size"

  ## The embedding gets rows for no token until their number is a multiple of this times the tensor-parallel size.
  make_vocab_size_divisible_by: int > 0 = 128   flag "--make-vocab-size-divisible-by"

  ## Longest sequence that the network is made for, in tokens. Rotary positions do not need it, MegaDLMs asks for it
  ## anyway.
  max_position_embeddings: int > 0   flag "--max-position-embeddings"

  ## How a token's position reaches the network.
  position_embedding_type: PositionEmbedding = learned_absolute   flag "--position-embedding-type"

  ## Base of the rotary frequencies. Larger bases turn slower and suit longer sequences.
  rotary_base: int > 0 = 10_000   flag "--rotary-base"

  ## Share of each head that is rotated; the rest carries no position.
  rotary_percent: fraction > 0 <= 1 = 1.0   flag "--rotary-percent"

  ## Rotate neighbouring elements as a pair, not elements half a head apart.
  rotary_interleaved: bool = false   flag "--rotary-interleaved"

  ## Compute the rotation in one fused kernel.
  apply_rope_fusion: bool = position_embedding_type == rope   flag "--no-rope-fusion" store_false

  ## Normalization before attention, before the MLP, and at the end.
  normalization: Normalization = LayerNorm   flag "--normalization"

  ## Added to the variance before its root is taken.
  norm_epsilon: float > 0 = 1e-5   flag "--norm-epsilon"

  ## Keep the weights of norms as their distance from one, so that weight decay pulls them towards one.
  apply_layernorm_1p: bool = false   flag "--apply-layernorm-1p"

  ## Normalize queries and keys within each head.
  qk_layernorm: bool = false   flag "--qk-layernorm"

  ## Gated MLP: `silu(gate) * up` where there is otherwise a GELU.
  swiglu: bool = false   flag "--swiglu"

  ## `max(x, 0)` squared where there is otherwise a GELU.
  squared_relu: bool = false   flag "--squared-relu"

  ## Give every linear map a bias.
  add_bias_linear: bool = true   flag "--disable-bias-linear" store_false

  ## Give the map to queries, keys and values a bias.
  add_qkv_bias: bool = add_bias_linear   flag "--add-qkv-bias"

  ## Give the output layer weights of its own. Otherwise it uses the rows of the embedding.
  untie_embeddings_and_output_weights: bool = false   flag "--untie-embeddings-and-output-weights"

  ## Probability that an attention weight is dropped in training.
  attention_dropout: fraction in 0..=1 = 10%   flag "--attention-dropout"

  ## Probability that an element added to the residual stream, or of the embedding, is dropped in training.
  hidden_dropout: fraction in 0..=1 = 10%   flag "--hidden-dropout"

  ## Standard deviation of the first weights. Maps that end in the residual stream get it divided by the root of twice
  ## the number of layers.
  init_method_std: float >= 0 = 0.02   flag "--init-method-std"

  ## The library that computes attention.
  attention_backend: AttentionBackend = auto   flag "--attention-backend"

  ## Which set of modules the layers are built from.
  transformer_impl: TransformerImpl = transformer_engine   flag "--transformer-impl"

  ## Add the bias and apply GELU in one fused kernel.
  bias_gelu_fusion: bool = add_bias_linear   flag "--no-bias-gelu-fusion" store_false

  ## Add the bias and apply SwiGLU in one fused kernel.
  bias_swiglu_fusion: bool = true   flag "--no-bias-swiglu-fusion" store_false

  ## Add the bias, drop and add to the residual stream in one fused kernel.
  bias_dropout_fusion: bool = true   flag "--no-bias-dropout-fusion" store_false

  ## Each head gets an equal share of the hidden size, unless its width is given.
  check heads_divide: hidden_size % num_attention_heads == 0
    when kv_channels == hidden_size // num_attention_heads
    else "`hidden_size` ({hidden_size}) is not a multiple of `num_attention_heads` ({num_attention_heads})"
    help "{nearest_divisor(hidden_size, num_attention_heads)} is the nearest number of heads that divides {hidden_size}"
    fix num_attention_heads = nearest_divisor(hidden_size, num_attention_heads)
    upstream "net.kv-divisible"

  ## Each key and value head serves the same number of query heads.
  check groups_divide_heads: num_attention_heads % num_query_groups == 0
    when group_query_attention
    else "`num_attention_heads` ({num_attention_heads}) is not a multiple of `num_query_groups` ({num_query_groups})"
    help "{nearest_divisor(num_attention_heads, num_query_groups)} is the nearest number of groups that fits"
    fix num_query_groups = nearest_divisor(num_attention_heads, num_query_groups)
    upstream "model.gqa-divides-heads"

  ## Without the switch MegaDLMs drops the number of groups and every head keeps its own keys and values.
  warn groups_without_switch: num_query_groups == 1
    when not group_query_attention
    else "`num_query_groups` ({num_query_groups}) has no effect while `group_query_attention` is false"
    help "set `group_query_attention = true` as well, or leave both out"
    fix group_query_attention = true
    upstream "cfg.gqa-off"

  ## The MLP has one activation.
  check one_activation: not (swiglu and squared_relu)
    else "`swiglu` and `squared_relu` are both on, but the MLP has one activation"
    help "switch one of the two off"
    upstream "cfg.swiglu-xor-squared"

  ## The fused kernel knows GELU only.
  check squared_relu_unfused: not bias_gelu_fusion
    when squared_relu and not swiglu and add_bias_linear
    else "the fused bias kernel computes GELU, but the MLP uses `squared_relu`"
    help "set `bias_gelu_fusion = false`"
    fix bias_gelu_fusion = false
    upstream "tc.fusion-activation"

  ## MegaDLMs turns it on by itself with `add_bias_linear`, whatever is asked for.
  check qkv_bias_follows: add_qkv_bias
    when add_bias_linear
    else "`add_qkv_bias` is false, but `add_bias_linear` gives every linear map a bias, this one too"
    help "set `add_bias_linear = false` for a network without biases"
    upstream "net.qkv-bias"

  ## Rotation works on pairs.
  check rotary_needs_even_heads: kv_channels % 2 == 0
    when position_embedding_type == rope
    else "rotary positions turn pairs of elements, but a head is {kv_channels} elements wide, an odd number"
    help "choose `num_attention_heads` or `kv_channels` so that a head is an even number of elements wide"
    upstream "pos.kv-odd"

  ## The fused kernel rotates halves, not neighbours.
  check interleaved_unfused: not (rotary_interleaved and apply_rope_fusion)
    else "`rotary_interleaved` does not work with the fused rotary kernel"
    help "set `apply_rope_fusion = false`"
    fix apply_rope_fusion = false
    upstream "pos.interleaved-fusion"

  ## Three of the words that MegaDLMs accepts stand for nothing.
  warn positions_without_code: position_embedding_type in [learned_absolute, rope, no_positions]
    else "MegaDLMs accepts `{position_embedding_type}` but has no code for it: the network gets no positions at all"
    help "choose `rope` or `learned_absolute`, or `no_positions` if that is what you want"
    fix position_embedding_type = rope
    upstream "model.pos-unknown-silent"

  ## The flag that would name such a specification is not supported.
  check local_backend_needs_spec: attention_backend != local
    else "`attention_backend = local` needs a layer specification of its own, which MegaDLMs is not given"
    help "choose `auto`, `flash`, `fused` or `unfused`"
    fix attention_backend = auto
    upstream "attn.local-needs-spec"
}
