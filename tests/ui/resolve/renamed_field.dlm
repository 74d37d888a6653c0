dlm 1

schema Bakery {
  loaves: int > 0 = 12   renamed from breads
}

experiment morning extends Bakery {
  breads = 30
}
