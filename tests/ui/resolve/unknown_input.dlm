#! --input loaves_wantd=24
#! in --input "loaves_wantd" error[resolve::unknown_input]
dlm 1

input loaves_wanted: int > 0 = 12

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = loaves_wanted
}

experiment morning extends Bakery {
}
