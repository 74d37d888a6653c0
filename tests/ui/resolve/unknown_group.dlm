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
    heat = 230
    tme  = 3 min
  }
}
