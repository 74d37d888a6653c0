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
  loaves ?= 2
}

mixin large for Bakery {
  loaves ?= 200
}

mixin firm for Bakery {
  loaves = 30
}

experiment two_weak extends Bakery with small, large {
#                                       ^^^^^^^^^^^^ error[check::mixin_conflict] both are taken here
}

experiment weak_and_firm extends Bakery with small, firm {
}
