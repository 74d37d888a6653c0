dlm 2
#   ^ error[syntax::unknown_edition] this version of dlm knows edition 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## Where the recipe lies.
  recipe: path?
}
