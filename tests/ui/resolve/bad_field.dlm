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
  recipe: string > 3 = "rye"
#                ^^^ error[resolve::bad_field] this condition does not go with type `string`
  ## Where a list of today's has it.
  shelf: int = 3   yaml "shop.left shelf"
#                       ^^^^^^^^^^^^^^^^^ error[resolve::bad_field] "shop.left shelf" is no key of a YAML file of arguments
}
