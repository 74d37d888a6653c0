#! lower
dlm 1

schema Bakery {
  loaves: int > 0
}

experiment morning extends Bakery {
#          ^^^^^^^ error[lower::foreign_schema] its schema is `Bakery`
  loaves = 12
}
