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
use std.recipes.masked_diffusion
use "recipes.dlm" { gentle, bold }

abstract experiment undecided extends Pretrain with masked_diffusion, gentle, bold {
#                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[check::mixin_conflict] both are taken here
}

abstract experiment decided_by_list extends Pretrain with masked_diffusion, gentle, bold over gentle.optimizer {
}

abstract experiment decided_by_body extends Pretrain with masked_diffusion, gentle, bold {
  optimizer.lr = super / 2
}
