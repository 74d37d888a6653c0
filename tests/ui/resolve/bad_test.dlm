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
#    ^^^^^^^^^^^^^^ error[resolve::bad_test] this test expects nothing, so it can't fail
  loaves = 24
}
