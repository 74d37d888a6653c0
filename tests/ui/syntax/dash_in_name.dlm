dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves_baked: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## Where the recipe lies.
  recipe: path?
}

experiment morning extends Bakery {
  loaves-baked = 40
# ^^^^^^^^^^^^ error[syntax::dash_in_name] a name has no dashes
}
