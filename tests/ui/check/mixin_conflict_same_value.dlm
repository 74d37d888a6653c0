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

mixin a for Bakery {
  loaves = 30
}

mixin b for Bakery {
  loaves = 15 * 2
}

experiment morning extends Bakery with a, b {
}
