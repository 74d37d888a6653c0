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

mixin small for Bakery {
  loaves = 2
}

mixin large for Bakery {
  loaves = 200
}

experiment morning extends Bakery with small, large {
#                                      ^^^^^^^^^^^^ error[check::mixin_conflict] both are taken here
}
