dlm 1

enum Flour { wheat  rye spelled "RYE"  oat }
#                   ^^^^^^^^^^^^^^^^^ error[syntax::unexpected]

enum Oven { gas, wood electric }
#                     ^^^^^^^^ error[syntax::unexpected]

schema Bakery {
  flour: Flour = rye
  oven: Oven = gas
}
