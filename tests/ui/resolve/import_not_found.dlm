#- /base.dlm
dlm 1

schema Bakery {
  loaves: int > 0 = 12
}
#- /main.dlm
dlm 1

use "bases.dlm" { Bakery }
#   ^^^^^^^^^^^ error[resolve::import_not_found] imported here, relative to this file

experiment morning extends Bakery {
}
