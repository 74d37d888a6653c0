dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
}

experiment morning extends Bakery {
}

sweep batches of morning {
#     ^^^^^^^ error[resolve::bad_sweep] sweep `batches` varies nothing
  loaves = 20
}
