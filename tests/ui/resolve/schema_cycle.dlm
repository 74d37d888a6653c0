dlm 1

schema Oven {
  bakery: Bakery
}

schema Bakery {
  oven: Oven
}
