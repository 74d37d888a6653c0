#! --input dozens=-1
dlm 1

input dozens: int = 1
input wanted: int > 0 = dozens * 12
#                       ^^^^^^^^^^^ error[resolve::out_of_range]

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
}

experiment morning extends Bakery {
  loaves = wanted
}
