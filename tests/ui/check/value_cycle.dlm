dlm 1

schema Bakery {
  loaves: int > 0 = flour * 2
  flour: int > 0 = loaves / 2
}

experiment morning extends Bakery {
}
