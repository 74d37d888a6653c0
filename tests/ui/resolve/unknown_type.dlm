dlm 1

enum Shape {
  round
  square
}

schema Bakery {
  ## Loaves of a day.
  loaves: integer > 0 = 12
#         ^^^^^^^ error[resolve::unknown_type] there is no type `integer`
  ## Shape of a loaf.
  shape: Shape = round
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## What is added to the dough.
  seeds: list<string> = []
  ## Where the recipe lies.
  recipe: path?
}
