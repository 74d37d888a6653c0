dlm 1

schema Bakery {
  loaves: int > 0 = flour * 2
# ^^^^^^^^^^^^^^^ error[check::value_cycle] `loaves` needs `flour`
  flour: int > 0 = loaves / 2
}

experiment morning extends Bakery {
}
