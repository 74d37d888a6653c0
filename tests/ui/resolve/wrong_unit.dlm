dlm 1

use std.megadlms.Pretrain

mixin budget for Pretrain {
  train.budget = 10GB
#                ^^^^ error[resolve::wrong_unit] `train.budget` is a count of tokens, samples or iterations, but 10GB measures memory
}
