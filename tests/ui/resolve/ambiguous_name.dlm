dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
}

let sold = 50%

experiment morning extends Bakery {
  loaves = floor(20 * sold)
#                     ^^^^ error[resolve::ambiguous_name] `sold` could be the field `sold` or the value declared with `let` or `input`
}
