dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0
}

experiment morning extends Bakery {
#          ^^^^^^^ error[check::missing_field] to be added in its body
}
