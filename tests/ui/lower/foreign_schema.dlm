#! lower
dlm 1

schema Bakery {
  loaves: int > 0
}

experiment morning extends Bakery {
  loaves = 12
}
