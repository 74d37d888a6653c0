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
  "loaves": 40,
# ^^^^^^^^ error[syntax::unexpected] expected a setting or `unset`, found `"loaves"`
  sold: 1.,
#     ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
#       ^^ error[syntax::bad_number] a digit must follow the decimal point
  // the old one
# ^^^^^^^^^^^^^^ error[syntax::foreign_comment] a comment starts with `#`, not with `//`
  recipe: "rye.txt",
#       ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
#                  ^ error[syntax::trailing_comma] a setting does not end in a comma
  sorts: ["rye", "wheat",],
#      ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
#                         ^ error[syntax::trailing_comma] a setting does not end in a comma
  oven: { "heat": 220 },
#     ^ error[syntax::wrong_assignment] a group cannot be set with `:`
#         ^^^^^^ error[syntax::unexpected] expected a setting or `unset`, found `"heat"`
#                      ^ error[syntax::trailing_comma] a setting does not end in a comma
}
