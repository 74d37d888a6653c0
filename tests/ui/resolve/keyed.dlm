dlm 1

schema Oven {
  ## Degrees.
  heat: int > 0 = 200
}

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## What they are baked in.
  ovens: map<string, Oven>
}

experiment morning extends Bakery {
  ovens "left" { heat = 220 }
  loaves = ovens."lefft".heat / 10
#          ^^^^^^^^^^^^^^^^^^ error[resolve::keyed] `ovens` has no entry "lefft"
}
