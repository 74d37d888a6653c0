dlm 1

## Evaluation on text that training never sees.
schema Evaluation {
  ## Steps between two evaluations.
  eval_interval: iters > 0 = 1000   flag "--eval-interval"

  ## Global batches of an evaluation.
  eval_iters: iters >= 0 = 100   flag "--eval-iters"
}
