dlm 1

use std.megadlms.{Model, Diffusion, Precision, Optimizer, Train, Evaluation, Data, Parallel, Checkpoint, Logging}
use std.megadlms.{Sampling, Environment, Graph}

## Pre-training of one language model, with MegaDLMs at revision bdf7545 or in the embedded runtime.
schema Pretrain {
  ## The network.
  model: Model

  ## Objective, mask token, attention mask.
  diffusion: Diffusion

  ## How long, in what portions, from which seed.
  train: Train

  ## Optimizer and schedules.
  optimizer: Optimizer

  ## Number formats.
  precision: Precision

  ## Text and tokens.
  data: Data

  ## Evaluation on held-out text.
  evaluation: Evaluation

  ## How the model is spread over GPUs.
  parallel: Parallel

  ## What is kept, and what the run starts from.
  checkpoint: Checkpoint

  ## What is written about the run.
  logging: Logging

  ## What the embedded runtime writes with the trained model.
  sampling: Sampling

  ## What the compiled network is found to have.
  graph: Graph

  ## Facts about the place where the run will be.
  environment: Environment

  ## Copies of the model that work on different samples. Follows from the world size and the parallel sizes.
  data_parallel_size: int > 0 = if environment.world_size is set then max(1, environment.world_size //
    (parallel.tensor_model_parallel_size * parallel.pipeline_model_parallel_size * parallel.context_parallel_size)) else 1

  ## Rows of the embedding: tokens, and padding up to a multiple of `make_vocab_size_divisible_by` times the
  ## tensor-parallel size. A `NullTokenizer` adds the end of a document to the tokens.
  padded_vocab_size: int > 0 = round_up(
    model.vocab_size + (if data.tokenizer_type == NullTokenizer then 1 else 0),
    model.make_vocab_size_divisible_by * parallel.tensor_model_parallel_size)
}
