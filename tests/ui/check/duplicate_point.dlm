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
#     ^^^^^^^ error[check::duplicate_point] 2 points are called `batches/l12`, and so it is with another name
  loaves in [6, 12]
  sold in [80%, 90%]
  name "l{loaves}"
}
