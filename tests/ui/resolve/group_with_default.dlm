dlm 1

schema Oven {
  ## Degrees.
  heat: int > 0 = 230
}

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Where they are baked.
  oven: Oven = 3
#              ^ error[resolve::bad_field] `oven` is a group of fields: it has no value, no range and no flag of its own
}
