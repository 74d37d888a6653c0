#- /recipes.dlm
dlm 1

use std.megadlms.Pretrain

mixin gentle for Pretrain {
  optimizer.lr = 1e-4
}

mixin bold for Pretrain {
  optimizer.lr = 1e-3
  train.seed   = 7
}
#- /exp.dlm
dlm 1

use std.megadlms.Pretrain
use "recipes.dlm" { gentle, bold }

abstract experiment undecided extends Pretrain with gentle, bold {
}

abstract experiment decided_by_list extends Pretrain with gentle, bold over gentle.optimizer {
}

abstract experiment decided_by_body extends Pretrain with gentle, bold {
  optimizer.lr = super / 2
}
