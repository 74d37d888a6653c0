dlm 1

schema Bakery {
  loaves: int > 0 = super + 1
}

experiment morning extends Bakery {
}
