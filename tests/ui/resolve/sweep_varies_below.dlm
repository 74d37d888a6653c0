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
  loaves in [6, 12]
# ^^^^^^^^^^^^^^^^^ it varies here
}

sweep days of batches {
  sold in [80%, 90%]
  loaves in [7, 14]
# ^^^^^^^^^^^^^^^^^ error[resolve::bad_sweep] this overrides it, so points fall together
}
