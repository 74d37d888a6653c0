#- /a.dlm
dlm 1

use "b.dlm" { b }
#   ^^^^^^^ error[resolve::import_cycle] `a.dlm` imports this

experiment a extends b {
}
#- /b.dlm
dlm 1

use "c.dlm" { c }

experiment b extends c {
}
#- /c.dlm
dlm 1

use "a.dlm" { a }

experiment c extends a {
  model.num_layers = 2
}
