dlm 1

schema Bakery {
  loaves: int > 0 = super + 1
#                   ^^^^^ error[resolve::super_outside] `super` is the value below a layer, and here is no layer
}

experiment morning extends Bakery {
}
