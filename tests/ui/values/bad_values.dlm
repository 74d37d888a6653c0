#! --values day.yaml
#- /main.dlm
dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Loaves of a Sunday.
  sunday: int > 0 = 12
}

experiment morning extends Bakery {
}
#- /day.yaml
loaves: &many 24
#       ^^^^^^^^ error[values::bad_values] anchors are not taken in values files
sunday: 24
