dlm 1

schema Oven {
  bakery: Bakery
}

schema Bakery {
  oven: Oven
#       ^^^^ error[resolve::inheritance_cycle] `Oven` holds itself as a group
}
