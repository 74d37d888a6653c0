#- /a.dlm
dlm 1

use "b.dlm" { small }
#   ^^^^^^^ error[resolve::import_cycle] `a.dlm` imports this

schema Bakery {
  loaves: int > 0 = 12
}
#- /b.dlm
dlm 1

use "a.dlm" { Bakery }

mixin small for Bakery {
  loaves = 2
}
