dlm 1
use std.megadlms.Pretrain
use std.recipes.masked_diffusion

abstract experiment small extends Pretrain with masked_diffusion {
  model.hidden_size = 64
}
sweep depths of small {
  model.num_layers in [2, 4]
  where graph.params < 1M
#       ^^^^^^^^^^^^^^^^^ error[check::computed_point] only the network of a point tells this, and no network is compiled before the points are known
}
sweep widths of small {
  model.ffn_hidden_size in [128, 256]
  name "p{graph.params}"
#         ^^^^^^^^^^^^ error[check::computed_point] only the network of a point tells this, and no network is compiled before the points are known
}
