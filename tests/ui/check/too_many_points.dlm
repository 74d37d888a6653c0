dlm 1

schema Bakery {
  f0: int = 1
  f1: int = 1
  f2: int = 1
  f3: int = 1
  f4: int = 1
  f5: int = 1
}

experiment morning extends Bakery {
}

sweep all of morning {
#     ^^^ error[check::too_many_points] `all` has 1000000 points, more than 100000
  f0 in 1..=10
  f1 in 1..=10
  f2 in 1..=10
  f3 in 1..=10
  f4 in 1..=10
  f5 in 1..=10
}
