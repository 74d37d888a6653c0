dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
}

extend schema Bakery {
  ## Of these, rolls.
  rolls: int >= 0 = 0
}

## A mixin brings its rules along.
mixin small for Bakery {
  check few: loaves <= 20
    else "{loaves} loaves are too many for a small bakery"
}

experiment morning extends Bakery with small {
  loaves = 30
#          ^^ error[check::few] `loaves` is 30, set by experiment `morning`
  rolls  = 5
}
