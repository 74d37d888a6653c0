#! --set loaves=40
#!       ^^^^^^^^^ error[check::final_overridden] changed here
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

experiment morning extends Bakery {
  final loaves = 30
}
