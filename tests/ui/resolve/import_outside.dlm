dlm 1

use "../shared/base.dlm" { Bakery }
#   ^^^^^^^^^^^^^^^^^^^^ error[resolve::import_outside] `../shared/base.dlm` lies outside the project's folder
