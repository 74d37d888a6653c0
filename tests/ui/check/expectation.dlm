#! test
dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
}

experiment morning extends Bakery {
}

test "enough bread" for morning {
  loaves = 20
  expect loaves * sold > 20 else "only {loaves * sold} loaves are sold"
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[check::expectation] expected here
}
