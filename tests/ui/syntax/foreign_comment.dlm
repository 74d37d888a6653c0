dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## Where the recipe lies.
  recipe: path?
}

experiment morning extends Bakery {
  // for the feast
# ^^^^^^^^^^^^^^^^ error[syntax::foreign_comment] a comment starts with `#`, not with `//`
  loaves = 40
}
