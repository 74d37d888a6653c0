dlm 1

## How ranks talk to each other.
enum DistributedBackend {
  ## NVIDIA's library, for GPUs.
  nccl
  ## For CPUs.
  gloo
}

## How one model is spread over many GPUs.
schema Parallel {
  ## Ranks that share each weight matrix.
  tensor_model_parallel_size: int > 0 = 1   flag "--tensor-model-parallel-size"

  ## Stages that the layers are cut into, each on ranks of its own.
  pipeline_model_parallel_size: int > 0 = 1   flag "--pipeline-model-parallel-size"

  ## Ranks that share each sequence.
  context_parallel_size: int > 0 = 1   flag "--context-parallel-size"

  ## Cut norms and dropout along the sequence among the ranks that share weight matrices.
  sequence_parallel: bool = false   flag "--sequence-parallel"

  ## Share optimizer states among data-parallel ranks.
  use_distributed_optimizer: bool = false   flag "--use-distributed-optimizer"

  ## Copies of the shared optimizer states, each among its own ranks.
  num_distributed_optimizer_instances: int > 0 = 1   flag "--num-distributed-optimizer-instances"

  ## Fetch updated weights while the forward pass runs.
  overlap_param_gather: bool = false   flag "--overlap-param-gather"

  ## Sum gradients while the backward pass runs.
  overlap_grad_reduce: bool = false   flag "--overlap-grad-reduce"

  ## How long a rank waits for the others, in minutes.
  distributed_timeout_minutes: int > 0 = 10   flag "--distributed-timeout-minutes"

  ## How ranks talk to each other.
  distributed_backend: DistributedBackend = nccl   flag "--distributed-backend"

  ## Only the distributed optimizer has weights to fetch.
  check gather_needs_distributed_optimizer: use_distributed_optimizer
    when overlap_param_gather
    else "`overlap_param_gather` needs `use_distributed_optimizer`"
    help "only ranks that share the optimizer have weights to fetch"
    fix use_distributed_optimizer = true
    upstream "opt.overlap-gather-distopt"

  ## Fetching early relies on gradients being summed early.
  check gather_needs_reduce: overlap_grad_reduce
    when overlap_param_gather
    else "`overlap_param_gather` needs `overlap_grad_reduce`"
    help "switch both on"
    fix overlap_grad_reduce = true
    upstream "opt.overlap-gather-reduce"

  ## Copies of a shared optimizer presuppose a shared optimizer.
  check instances_need_distributed_optimizer: use_distributed_optimizer
    when num_distributed_optimizer_instances > 1
    else "`num_distributed_optimizer_instances` ({num_distributed_optimizer_instances}) needs `use_distributed_optimizer`"
    help "switch it on, or leave the number of instances out"
    fix use_distributed_optimizer = true
    upstream "ddp.partial-needs-distopt"

  ## MegaDLMs switches it off by itself.
  warn sequence_parallel_alone: not sequence_parallel
    when tensor_model_parallel_size == 1
    else "`sequence_parallel` has no effect with `tensor_model_parallel_size = 1`"
    help "it cuts along the sequence among tensor-parallel ranks, and there is one"
    fix sequence_parallel = false
    upstream "sp.off-warn"

  ## Every pipeline run of this MegaDLMs dies in its first forward pass.
  check pipeline_cannot_run: pipeline_model_parallel_size == 1
    else "this MegaDLMs cannot train with {pipeline_model_parallel_size} pipeline stages: its first forward pass fails"
    help "its forward step unpacks two values where a stage that is not the last returns one; use tensor parallelism"
    fix pipeline_model_parallel_size = 1
    upstream "pp.difflm-broken"
}
