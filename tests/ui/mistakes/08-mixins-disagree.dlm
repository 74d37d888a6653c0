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
#                                                   ^^^^^^^^^^^^ error[check::mixin_conflict] both are taken here
#                   ^^^^^^^^^ error[check::base_model_exists] `undecided` leaves this as it is
#                   ^^^^^^^^^ error[check::diffusion_needs_no_mask] `undecided` leaves this as it is
}

abstract experiment decided_by_list extends Pretrain with gentle, bold over gentle.optimizer {
#                   ^^^^^^^^^^^^^^^ error[check::base_model_exists] `decided_by_list` leaves this as it is
#                   ^^^^^^^^^^^^^^^ error[check::diffusion_needs_no_mask] `decided_by_list` leaves this as it is
}

abstract experiment decided_by_body extends Pretrain with gentle, bold {
#                   ^^^^^^^^^^^^^^^ error[check::base_model_exists] `decided_by_body` leaves this as it is
#                   ^^^^^^^^^^^^^^^ error[check::diffusion_needs_no_mask] `decided_by_body` leaves this as it is
  optimizer.lr = super / 2
}
