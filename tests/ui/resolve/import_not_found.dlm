#- /base.dlm
dlm 1

schema Bakery {
  loaves: int > 0 = 12
}
#- /main.dlm
dlm 1

use "bases.dlm" { Bakery }

experiment morning extends Bakery {
}
