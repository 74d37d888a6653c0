dlm 1

use std.megadlms.Pretrain

mixin budget for Pretrain {
  train.budget = 20_000
#                ^^^^^^ error[resolve::no_unit] `train.budget` may be tokens, samples or iterations: say which
}
