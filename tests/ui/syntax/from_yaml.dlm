dlm 1

schema Oven {
  ## Degrees.
  heat: int > 0 = 200
}

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## Names of the sorts.
  sorts: list<string> = []
  ## Where the recipe lies.
  recipe: path?
  ## What it is baked in.
  oven: Oven
}

experiment morning extends Bakery {
  loaves: 40
#       ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
  sold: .5
#     ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
#       ^^ error[syntax::bad_number] a digit must stand before the decimal point
  recipe: 'rye.txt'
#       ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
#         ^^^^^^^^^ error[syntax::wrong_quotes] text stands in double quotes, `"`, and in no others
  oven:
#     ^ error[syntax::wrong_assignment] indentation means nothing here, so `:` opens neither group nor list
    heat: 220
#   ^^^^ error[resolve::unknown_field] `Bakery` has no field `heat`
#       ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
  sorts:
#      ^ error[syntax::wrong_assignment] indentation means nothing here, so `:` opens neither group nor list
    - rye
#   ^ error[syntax::unexpected] expected a setting or `unset`, found `-`
    - wheat
#   ^ error[syntax::unexpected] expected a setting or `unset`, found `-`
}
