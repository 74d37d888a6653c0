schema Bakery {
#<^^^^^^^^^^^^^^ error[syntax::missing_edition] `dlm 1` must stand before this
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## Where the recipe lies.
  recipe: path?
}
