dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## Where the recipe lies.
  recipe: path?
}

experimnt evening extends Bakery { }
#<^^^^^^^^ error[syntax::unknown_declaration] no declaration starts with `experimnt`

experiment morning extends Bakery {
  loaves: 40,
#           ^ error[syntax::trailing_comma] a setting does not end in a comma
#       ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
  sold == 1.
#         ^^ error[syntax::bad_number] a digit must follow the decimal point
#      ^^ error[syntax::wrong_assignment] a setting is written with `=`, not with `==`
  recipe = 'rye.txt'
#          ^^^^^^^^^ error[syntax::wrong_quotes] text stands in double quotes, `"`, and in no others
  // for the feast
# ^^^^^^^^^^^^^^^^ error[syntax::foreign_comment] a comment starts with `#`, not with `//`
  loaves-baked = 3
# ^^^^^^^^^^^^ error[syntax::dash_in_name] a name has no dashes
  sold =
#      ^ error[syntax::missing_value] a value must follow this
# ^^^^ error[resolve::duplicate_setting] again here
  loaves = 3 4
#            ^ error[syntax::unexpected] expected an operator or the end of the line, found `4`
# ^^^^^^ error[resolve::duplicate_setting] again here
}

input data_root = path
#               ^ error[syntax::unexpected] expected `:`, found `=`
