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
  seeds = ["poppy", "sesame"]
}

experiment evening extends morning {
  seeds -= "flax"
#          ^^^^^^ error[check::removed_absent] "flax" is not in `seeds`, so it can't be removed
}
