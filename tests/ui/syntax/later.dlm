dlm 1

schema Oven {
  ## Degrees.
  heat: int > 0 = 200
}

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## Share that is sold.
  sold: fraction in 0..=1 = 90%
  ## Names of the sorts.
  sorts: list<string> = []
  ## Where the recipe lies.
  recipe: path?
  ## What it is baked in.
  oven: Oven
}

input flour: path from env "FLOUR"
#<^^^^ error[syntax::not_supported] `input` is not supported yet in this version of dlm

let dozen = 12
#<^^ error[syntax::not_supported] `let` is not supported yet in this version of dlm

type Share = fraction in 0..=1
#<^^^ error[syntax::not_supported] `type` is not supported yet in this version of dlm

experiment morning extends Bakery {
  loaves: 24
#       ^ error[syntax::wrong_assignment] a setting is written with `=`, not with `:`
  let half = 12
# ^^^ error[syntax::not_supported] `let` is not supported yet in this version of dlm
}

sweep batches of morning {
#<^^^^ error[syntax::not_supported] `sweep` is not supported yet in this version of dlm
  loaves in [6, 12]
}

test "enough" for morning {
#<^^^ error[syntax::not_supported] `test` is not supported yet in this version of dlm
  loaves == 24
}

experiment evening extends Bakery {
  sold = 1.
#        ^^ error[syntax::bad_number] a digit must follow the decimal point
}
