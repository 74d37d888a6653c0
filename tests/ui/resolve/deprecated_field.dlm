dlm 1

schema Bakery {
  loaves: int > 0 = 12
  dozens: int? deprecated "set `loaves`"
}

experiment morning extends Bakery {
  dozens = 2
# ^^^^^^ warning[resolve::deprecated_field] `dozens` should no longer be used: set `loaves`
}
