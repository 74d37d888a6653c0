dlm 1

use std.megadlms.Pretrain

mixin budget for Pretrain {
  train.budget = 20k itres
#                    ^^^^^ error[resolve::unknown_unit] `itres` is neither a unit nor a multiple
}
