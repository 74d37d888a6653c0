#- /weights.dlm (binary)
#- /main.dlm
dlm 1

use "weights.dlm" { Bakery }

experiment morning extends Bakery {
}
