dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Flour for them, in grams.
  flour: int > 0 = loaves * 500

  check flour_lasts: flour <= 10_000
    else "{flour} g of flour are not there"
}

experiment morning extends Bakery {
  loaves = 30
#          ^^ error[check::flour_lasts] `loaves` is 30, set by experiment `morning`
}
