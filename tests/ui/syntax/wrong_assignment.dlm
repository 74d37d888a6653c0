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
  loaves: 40
#       ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
}
