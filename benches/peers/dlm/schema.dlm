dlm 1

## The experiment of `../README.md`, as a schema of its own: nothing of the standard library is used.
enum Activation { swiglu, gelu, squared_relu }
enum Norm { RMSNorm, LayerNorm }
enum PositionEmbedding { rope, learned_absolute, none_at_all spelled "none" }
enum RunningMode { difflm_noshift spelled "difflm-noshift", vanilla, test_forward spelled "test-forward" }
enum AttentionMask { no_mask, causal, causal_bottom_right, block_causal }
enum Noise { linear, cosine, loglinear }
enum OptimizerName { adam, sgd, muon }
enum Decay { WSD, cosine, linear, constant }
enum WsdDecay { exponential, linear, cosine }
enum Precision { fp32, fp16, bf16 }
enum CheckpointFormat { torch_dist, torch, zarr }
enum WandbMode { online, offline, disabled }

schema Model {
  num_layers: int > 0 = 12
  hidden_size: int > 0 = 768
  num_attention_heads: int > 0 = 12
  num_query_groups: int > 0 = num_attention_heads
  ffn_hidden_size: int > 0 = hidden_size * 3
  vocab_size: int > 0
  seq_length: int > 0 = 2048
  max_position_embeddings: int > 0 = seq_length
  activation: Activation = swiglu
  normalization: Norm = RMSNorm
  norm_epsilon: float > 0 = 1e-6
  position_embedding: PositionEmbedding = rope
  rotary_base: int > 0 = 10_000
  qk_layernorm: bool = true
  untie_embeddings: bool = true
  disable_bias_linear: bool = true
  attention_dropout: fraction in 0..=1 = 0.0
  hidden_dropout: fraction in 0..=1 = 0.0
  init_method_std: float > 0 = 0.02
  head_dim: int = hidden_size // num_attention_heads

  check heads_divide: hidden_size % num_attention_heads == 0
    else "hidden_size ({hidden_size}) is not a multiple of num_attention_heads ({num_attention_heads})"
  check groups_divide: num_attention_heads % num_query_groups == 0
    else "num_attention_heads ({num_attention_heads}) is not a multiple of num_query_groups ({num_query_groups})"
  check positions_cover: max_position_embeddings >= seq_length
    else "max_position_embeddings ({max_position_embeddings}) is below seq_length ({seq_length})"
}

schema Diffusion {
  running_mode: RunningMode = difflm_noshift
  mask_token: int >= 0
  attention_mask: AttentionMask = no_mask
  noise_schedule: Noise = linear
  varlen_prob: fraction in 0..=1 = 1%
  t_eps: fraction in 0..=1 = 0.001
  cut_off_varlen: bool = false
}

schema Optimizer {
  name: OptimizerName = adam
  lr: float in 0..=1 = 2e-4
  min_lr: float >= 0 = lr / 10
  weight_decay: float >= 0 = 0.1
  beta1: fraction in 0..=1 = 0.9
  beta2: fraction in 0..=1 = 0.95
  eps: float > 0 = 1e-8
  clip_grad: float >= 0 = 1.0

  check min_lr_below_lr: min_lr <= lr
    else "min_lr ({min_lr}) is above lr ({lr})"
}

schema Schedule {
  style: Decay = cosine
  warmup_iters: int >= 0 = 2000
  decay_iters: int > 0
  wsd_decay_style: WsdDecay = exponential
  wsd_decay_iters: int > 0 = 1000
}

schema Train {
  micro_batch_size: int > 0 = 4
  global_batch_size: int > 0 = 256
  tokens: int > 0
  precision: Precision = fp32
  seed: int = 1234
  timeout: duration > 0 = 60 min
}

schema Parallel {
  tensor: int > 0 = 1
  pipeline: int > 0 = 1
  context: int > 0 = 1
  nodes: int > 0 = 1
  gpus_per_node: int > 0 = 8
  sequence_parallel: bool = false
  distributed_optimizer: bool = true
  overlap_grad_reduce: bool = false
  overlap_param_gather: bool = false
  data_parallel: int = nodes * gpus_per_node // (tensor * pipeline * context)

  check gather_needs_distributed: not overlap_param_gather or distributed_optimizer
    else "overlap_param_gather needs distributed_optimizer"
}

schema Data {
  train_path: list<path>
  valid_path: list<path> = []
  cache_path: path = "cache"
  tokenizer_type: string = "HuggingFaceTokenizer"
  tokenizer_model: string
  num_workers: int >= 0 = 2

  check some_data: len(train_path) > 0
    else "train_path is empty"
}

schema Checkpoint {
  save: path
  load: path = save
  save_interval: int > 0 = 1000
  format: CheckpointFormat = torch_dist
  async_save: bool = false
}

schema Logging {
  log_interval: int > 0 = 100
  eval_interval: int > 0 = 1000
  eval_iters: int > 0 = 100
  tensorboard_dir: path?
  wandb_project: string?
  wandb_mode: WandbMode = disabled
}

schema Experiment {
  name: string
  tags: list<string> = []
  model: Model
  diffusion: Diffusion
  optimizer: Optimizer
  schedule: Schedule
  train: Train
  parallel: Parallel
  data: Data
  checkpoint: Checkpoint
  logging: Logging
  train_iters: int = train.tokens // (train.global_batch_size * model.seq_length)

  check longer_than_warmup: train_iters > schedule.warmup_iters
    else "train_iters ({train_iters}) does not exceed warmup_iters ({schedule.warmup_iters})"
  check mask_in_vocab: diffusion.mask_token < model.vocab_size
    else "mask_token ({diffusion.mask_token}) is not below vocab_size ({model.vocab_size})"
  check batch_divides: train.global_batch_size % (train.micro_batch_size * parallel.data_parallel) == 0
    else "global_batch_size ({train.global_batch_size}) is not a multiple of micro_batch_size * data_parallel"
}
