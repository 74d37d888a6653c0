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

mixin large for Bakery {
  loaves ?= 200
}

abstract experiment daily extends Bakery {
  final loaves = 30
}

experiment morning extends daily with large {
}

mixin larger for Bakery {
  loaves = 300
# ^^^^^^^^^^^^ error[check::final_overridden] changed here
}

experiment evening extends daily with larger {
}
