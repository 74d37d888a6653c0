dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Loaves of a year, as the plan counts them.
  yearly: int computed
}

experiment morning extends Bakery {
  yearly = 4000
# ^^^^^^ error[resolve::computed_field] `yearly` is computed from what is compiled, and can't be set
}
