dlm 1

schema Oven {
  heat: int > 0
  time: int > 0 = 40
}

schema Bakery {
  oven: Oven
}

experiment morning extends Bakery {
  oven.heat = 220
}

experiment evening extends morning {
  unset oven
}
