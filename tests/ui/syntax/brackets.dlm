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
  loaves = (3 + 4
#          ^ error[syntax::unclosed_bracket] opened here
  sold = 1)
# ^^^^ it must end before this
#         ^ error[syntax::stray_bracket] no open bracket belongs to it
  sorts = ["rye", "wheat"
#         ^ error[syntax::unclosed_bracket] opened here
  oven { heat = (200 + 20] }
# ^^^^ it must end before this
#               ^ this is still open
#                        ^ error[syntax::stray_bracket] `)` is wanted here
}
}
#< error[syntax::stray_bracket] no open bracket belongs to it

experiment evening extends Bakery {
#                                 ^ so is this
  oven {
#      ^ error[syntax::unclosed_bracket] opened here
    heat = 180
  loaves = 3
# ^^^^^^ error[resolve::unknown_field] group `oven` has no field `loaves`

experiment night extends Bakery {
#<^^^^^^^^^ it must end before this
  loaves == 3
#        ^^ error[syntax::wrong_assignment] a setting is written with `=`, not with `==`
}
