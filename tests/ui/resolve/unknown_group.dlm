dlm 1

schema Bakery {
  loaves: int > 0 = 12
  seeds: list<string> = ["poppy"]
  oven: Oven
}

schema Oven {
  heat: int > 0 
  time: duration > 0 s = 40 min
}

experiment morning extends Bakery {
  ovn {
# ^^^ error[resolve::unknown_field] `Bakery` has no field `ovn`
    heat = 230
    tme  = 3 min
#   ^^^ error[resolve::unknown_field] group `oven` has no field `tme`
  }
}
