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
  zip (loaves, sold) in [(6, 80%), (12, 90%, 3)]
#                                  ^^^^^^^^^^^^ error[resolve::bad_sweep] this row has 3 values for 2 fields
}
