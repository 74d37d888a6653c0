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

  check enough: 6 <= loaves <= 100
#                           ^^ error[syntax::chained_comparison] comparisons do not chain
    else "{loaves}"
  check hot: oven.heat > 100 && !(sold == 0)
#                            ^ error[syntax::unexpected] expected an operator or the end of the line, found `&`
    else 'too cold: {oven.heat}'
#        ^^^^^^^^^^^^^^^^^^^^^^^ error[syntax::wrong_quotes] text stands in double quotes, `"`, and in no others
}

experiment morning extends Bakery {
  loaves = 2 ** 4,
#             ^ error[syntax::unexpected] expected a value, found `*`
  sold = +0.5
#        ^ error[syntax::bad_number] a positive number has no sign
  recipe = None
#          ^^^^ error[resolve::unknown_value] `None` is not a value of this language
  oven = Oven(heat=220)
# ^^^^ error[resolve::group_and_field] `oven` is a group of fields, not a field
#                 ^ error[syntax::unexpected] expected `,`, `)` or an operator, found `=`
  sorts += ["rye" "wheat"]
#                 ^^^^^^^ error[syntax::unexpected] expected `,`, `]` or an operator, found `"wheat"`
}
