dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12

  ## The oven is not larger.
  check fits_oven: loaves <= 40
}

experiment morning extends Bakery {
}

test "no more than the oven holds" for morning {
  loaves = 41
  expect error fits_ovens
#              ^^^^^^^^^^ error[resolve::unknown_rule] no rule is called `fits_ovens`
}
