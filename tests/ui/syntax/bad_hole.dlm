dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## Where the recipe lies.
  recipe: path?

  check enough: loaves >= 6
    else "only {loaves are baked"
#              ^^^^^^^^^^^^^^^^^ error[syntax::bad_hole] opened here
}
