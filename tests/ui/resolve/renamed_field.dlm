dlm 1

schema Bakery {
  loaves: int > 0 = 12   renamed from breads
}

experiment morning extends Bakery {
  breads = 30
# ^^^^^^ error[resolve::renamed_field] `breads` is called `loaves` now
}
