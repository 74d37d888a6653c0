dlm 1

## What MegaDLMs does where a step may have been computed wrongly.
enum RerunMode {
  ## Nothing.
  disabled
  ## Compute suspicious steps again. In masked diffusion the second run draws other noise and so never agrees.
  validate_results
  ## Accepted by MegaDLMs, which has no code for it.
  report_stats
}

## How long, in what portions, and from which seed.
schema Train {
  ## What training may use up, in tokens, samples or steps: `10T tokens`, `5M samples`, `20_000 iters`.
  budget: tokens | samples | iters > 0

  ## Optimizer steps. Whole steps that the budget pays for.
  iters: iters > 0 = iterations(budget, seq_length, global_batch_size)   flag "--train-iters"

  ## Tokens of a sample. Masked diffusion drops the first one and trains on the rest.
  seq_length: int > 0   flag "--seq-length"

  ## Samples of an optimizer step, over all ranks.
  global_batch_size: int > 0   flag "--global-batch-size"

  ## Samples of one forward pass on one rank.
  micro_batch_size: int > 0   flag "--micro-batch-size"

  ## Seed of everything random.
  seed: int > 0 = 1234   flag "--seed"

  ## What to do where a step may have been computed wrongly.
  rerun_mode: RerunMode = disabled   flag "--rerun-mode"

  ## Steps set by hand hide the budget.
  warn budget_is_used: iters == iterations(budget, seq_length, global_batch_size)
    else "`budget` pays for {iterations(budget, seq_length, global_batch_size)}, but `iters` is {iters}"
    help "`iters` decides; set `budget` alone, for example `budget = {iters}`"
    fix budget = iters

  ## The word is in the list of MegaDLMs, its code is not.
  check rerun_mode_exists: rerun_mode != report_stats
    else "MegaDLMs accepts `rerun_mode = report_stats` and then stops: it has no code for it"
    help "choose `disabled` or `validate_results`"
    fix rerun_mode = disabled
    upstream "init.rerun-mode-enum"
}
