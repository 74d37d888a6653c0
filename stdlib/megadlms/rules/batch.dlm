dlm 1

use std.megadlms.Pretrain

## Batches, sequences and the world they are spread over.
extend schema Pretrain {
  ## A step is a whole number of forward passes on every rank.
  check batch_divides: train.global_batch_size % (train.micro_batch_size * data_parallel_size) == 0
    else "`global_batch_size` ({train.global_batch_size}) is not a multiple of `micro_batch_size` ({train.micro_batch_size}) x `data_parallel_size` ({data_parallel_size})"
    help "{round_up(train.global_batch_size, train.micro_batch_size * data_parallel_size)} is the next multiple of {train.micro_batch_size * data_parallel_size}"
    fix train.global_batch_size = round_up(train.global_batch_size, train.micro_batch_size * data_parallel_size)
    upstream "mb.divisible"

  ## The parallel sizes together must fit into the world.
  check world_divides: environment.world_size % (parallel.tensor_model_parallel_size *
    parallel.pipeline_model_parallel_size * parallel.context_parallel_size) == 0
    when environment.world_size is set
    else "{environment.world_size} ranks cannot be cut into models of {parallel.tensor_model_parallel_size} x {parallel.pipeline_model_parallel_size} x {parallel.context_parallel_size} ranks (tensor x pipeline x context)"
    help "`world_size` must be a multiple of {parallel.tensor_model_parallel_size * parallel.pipeline_model_parallel_size * parallel.context_parallel_size}"
    upstream "par.world-divisible"

  ## Copies of the shared optimizer are groups of data-parallel ranks.
  check instances_divide_ranks: data_parallel_size % parallel.num_distributed_optimizer_instances == 0
    when environment.world_size is set
    else "{data_parallel_size} data-parallel ranks cannot be cut into {parallel.num_distributed_optimizer_instances} groups, one for each copy of the optimizer"
    help "{nearest_divisor(data_parallel_size, parallel.num_distributed_optimizer_instances)} copies would fit"
    fix parallel.num_distributed_optimizer_instances = nearest_divisor(data_parallel_size, parallel.num_distributed_optimizer_instances)
    upstream "mpu.distopt-instances"

  ## MegaDLMs asks for a position for every token, also where positions need no table.
  check sequence_fits_positions: model.max_position_embeddings >= train.seq_length
    else "`seq_length` ({train.seq_length}) is above `max_position_embeddings` ({model.max_position_embeddings})"
    help "set `max_position_embeddings` to at least {train.seq_length}; rotary positions need no table, MegaDLMs asks for it anyway"
    fix model.max_position_embeddings = train.seq_length
    upstream "seq.max-position"

  ## The first token of a sample is dropped, so one token leaves nothing.
  check diffusion_needs_two_tokens: train.seq_length >= 2
    when diffusion.mode == difflm_noshift
    else "masked diffusion drops the first token of a sample, so `seq_length` ({train.seq_length}) leaves nothing to train on"
    help "samples of 256 to 4096 tokens are usual"
    upstream "dlm.varlen-short"

  ## Ranks that share a sequence each take two pieces of it.
  check context_splits_sequence: train.seq_length % (2 * parallel.context_parallel_size) == 0
    when parallel.context_parallel_size > 1
    else "`seq_length` ({train.seq_length}) is not a multiple of twice `context_parallel_size` ({parallel.context_parallel_size})"
    help "{round_up(train.seq_length, 2 * parallel.context_parallel_size)} is the next length that is"
    fix train.seq_length = round_up(train.seq_length, 2 * parallel.context_parallel_size)
    upstream "cp.seq-multiple"

  ## Pipeline stages hold the same number of layers.
  check layers_fill_stages: model.num_layers % parallel.pipeline_model_parallel_size == 0
    else "{model.num_layers} layers cannot be cut into {parallel.pipeline_model_parallel_size} equal stages"
    help "{nearest_divisor(model.num_layers, parallel.pipeline_model_parallel_size)} stages would do"
    fix parallel.pipeline_model_parallel_size = nearest_divisor(model.num_layers, parallel.pipeline_model_parallel_size)
    upstream "pipe.layers-divisible"

  ## A model has not learnt what lies beyond the length it was trained on.
  warn samples_within_training_length: sampling.length <= train.seq_length
    else "`sampling.length` ({sampling.length}) is above `train.seq_length` ({train.seq_length})"
    help "the model has never seen texts that long"
    fix sampling.length = train.seq_length
}
