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
#          ^^^^^^^ error[check::missing_field] to be added in its body
  unset oven
}
