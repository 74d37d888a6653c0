dlm 1

use std.megadlms.Pretrain

mixin budget for Pretrain {
  train.budget = 10GB
}
