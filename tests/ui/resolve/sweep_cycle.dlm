dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
}

sweep small of large {
#     ^^^^^ error[resolve::sweep_cycle] `small` multiplies the points of the next
  loaves in [6, 12]
}

sweep large of small {
  sold in [80%, 90%]
}
