#! --input token="abc
#! in --input token "<secret>" error[resolve::wrong_type]
dlm 1

secret input token: string

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
}

experiment morning extends Bakery {
}
