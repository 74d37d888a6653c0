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
#     ^^^^^^^ error[check::no_points] `batches` has no points: `where` leaves all of them out
  loaves in [6, 12]
  where loaves > 20
}
