dlm 1

enum Shape {
  round
  square
}

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Shape of a loaf.
  shape: Shape = round
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## What is added to the dough.
  seeds: list<string> = []
  ## Where the recipe lies.
  recipe: path?
}

experiment morning extends Bakery {
  loaves = 30 / 0
#          ^^^^^^ error[resolve::no_value] this divides by zero
}
