#! --values day.yaml
#- /main.dlm
dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Loaves of a Sunday.
  sunday: int > 0 = 12
}

experiment morning extends Bakery {
}
#- /day.yaml
loaves: 24
loaves: 12
#<^^^^^ error[values::duplicate_key] `loaves` stands here twice
