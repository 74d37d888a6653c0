#- /exp/base.dlm
dlm 1
#- /exp/main.dlm
dlm 1

use "bases.dlm" { base }
#   ^^^^^^^^^^^ error[resolve::import_not_found] imported here, relative to this file
use "../recipes/wide.dlm" { wide }
#   ^^^^^^^^^^^^^^^^^^^^^ error[resolve::import_not_found] imported here, relative to this file
use std.megadlm.Pretrain
#   ^^^^^^^^^^^ error[resolve::import_not_found] there is no module `std.megadlm`
use std.recipes.masked_difusion
#               ^^^^^^^^^^^^^^^ error[resolve::unknown_name] `std.recipes` declares no `masked_difusion`

experiment small extends base with wide {
}
