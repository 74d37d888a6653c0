#- /exp/base.dlm
dlm 1
#- /exp/main.dlm
dlm 1

use "bases.dlm" { base }
use "../recipes/wide.dlm" { wide }
use std.megadlm.Pretrain
use std.recipes.masked_difusion

experiment small extends base with wide {
}
