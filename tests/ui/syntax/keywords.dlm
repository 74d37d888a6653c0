dlm 1

schma Oven {
#<^^^^ error[syntax::unknown_declaration] no declaration starts with `schma`
  heat: int = 200
}

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## Where the recipe lies.
  recipe: path?

  chek some: loaves >= 6
# ^^^^ error[syntax::unexpected] expected `check` or a field, found `chek`
  warn few: loaves >= 10
    eles "only {loaves}"
#   ^^^^ error[syntax::unexpected] expected a field, a check or a clause of one, found `eles`
}

abstrct experiment base extends Bakery { }
#<^^^^^^ error[syntax::unknown_declaration] no declaration starts with `abstrct`

experiment morning extnds Bakery {
#                  ^^^^^^ error[syntax::unexpected] expected `{`, `extends` or `with`, found `extnds`
  fnal loaves = 3
# ^^^^ error[syntax::unexpected] expected `final` or a setting, found `fnal`
}

experiment evening extends Bakery {
  unst loaves
# ^^^^ error[syntax::unexpected] expected `unset` or a setting, found `unst`
  then = 3
# ^^^^ error[syntax::keyword_as_name] `then` is a keyword, not a name
  loaves = final
#          ^^^^^ error[syntax::keyword_as_name] `final` is a keyword, not a value
  loaves
# ^^^^^^ error[syntax::unexpected] the line ends after this
  sold 3
#      ^ error[syntax::unexpected] expected `=` or `{`, found `3`
  heat-of-day = 3
# ^^^^^^^^^^^ error[syntax::dash_in_name] a name has no dashes
}
