#! --set loaves=30
dlm 1

schema Bakery {
  loaves: int > 0 = 12
  seeds: list<string> = ["poppy"]
  oven: Oven
}

schema Oven {
  heat: int > 0 = 220
  time: duration > 0 s = 40 min
}

mixin small for Bakery {
  loaves = 2
}

mixin large for Bakery {
  loaves = 200
}

experiment morning extends Bakery with small, large {
}
