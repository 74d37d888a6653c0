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
  loaves = (3 + 4
#          ^ error[syntax::unclosed_bracket] opened here
}
#< it must end before this
