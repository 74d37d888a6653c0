dlm 1

schema Bakery {
  loaves: int > 0
}

experiment morning extends Bakery {
  loaves = 30
}

experiment evening extends morning {
  unset loaves
# ^^^^^^^^^^^^ error[check::no_default] `loaves` has no default to go back to
}
