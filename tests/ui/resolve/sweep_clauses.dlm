dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
}

experiment morning extends Bakery {
}

sweep batches of mornin {
#                ^^^^^^ error[resolve::unknown_name] no experiment or sweep called `mornin` is known here
  loaves in [6, 12]
}

sweep wrong of morning {
  loaves in [6, -1]
#               ^^ error[resolve::out_of_range] `loaves` must be above 0, but this is -1
  sold in [80%, "all"]
#               ^^^^^ error[resolve::wrong_type] `sold` is a fraction, but this is text
  where loaves + 1
#       ^^^^^^^^^^ error[resolve::wrong_type] a switch is wanted here, but this is a whole number
  name "{loafs}"
#        ^^^^^ error[resolve::unknown_value] `loafs`
}

sweep twice of morning {
  loaves = 20
  loaves in [6, 12]
# ^^^^^^ error[resolve::bad_sweep] this field is set twice in one sweep
}
