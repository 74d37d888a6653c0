#- /weights.dlm (binary)
#- /main.dlm
dlm 1

use "weights.dlm" { Bakery }
#   ^^^^^^^^^^^^^ error[resolve::unreadable_file] `weights.dlm` can't be read: it is a binary file (byte 0 is NUL)

experiment morning extends Bakery {
}
