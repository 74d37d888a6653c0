dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
}

experiment monday: Bakery {
#                ^ error[syntax::unexpected] expected `{`, `extends` or `with`, found `:`
  loaf = 3
# ^^^^ error[resolve::unknown_field] `Bakery` has no field `loaf`
}

experiment tuesday(Bakery) { }
#                 ^ error[syntax::unexpected] expected `{`, `extends` or `with`, found `(`

experiment wednesday Bakery { }
#                    ^^^^^^ error[syntax::unexpected] expected `{`, `extends` or `with`, found `Bakery`

experiment thursday extnds Bakery { }
#                   ^^^^^^ error[syntax::unexpected] expected `{`, `extends` or `with`, found `extnds`

experiment friday extends Bakery wth rye { }
#                                ^^^ error[syntax::unexpected] expected `{` or `with`, found `wth`

experiment satur-day extends Bakery { }
#          ^^^^^^^^^ error[syntax::dash_in_name] a name has no dashes

mixin rye of Bakery { }
#         ^^ error[syntax::unexpected] expected `{` or `for`, found `of`
