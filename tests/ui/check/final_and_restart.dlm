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

abstract experiment daily extends Bakery {
  final oven.heat = 230
}

experiment morning extends daily {
  oven = {
# ^^^^ error[check::final_overridden] changed here
    time = 30 min
  }
}
