dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 =
#                 ^ error[syntax::missing_value] a value must follow this
  ## Share that is sold.
  sold: fraction = 90%

  check some:
# ^^^^^^^^^^^ error[syntax::missing_value] a value must follow this
    else "none"
  check most: sold > 50%
    when
#   ^^^^ error[syntax::missing_value] a value must follow this
    else "only {sold}"
  check all: sold == 1
    else "only {sold}"
    fix sold =
#   ^^^^^^^^^^ error[syntax::missing_value] a value must follow this
}

experiment morning extends Bakery {
  sold = 1 +
#          ^ error[syntax::unexpected] the line ends after this
  loaves =
#        ^ error[syntax::missing_value] a value must follow this
}
