dlm 1
schema schema {
  sweep: int = 1
  name: string = "n"
  limit: int = 3
  test: int = sweep + limit
}
experiment experiment extends schema { sweep = 4; name = "m" }
sweep mixin of experiment {
  limit in [5, 6]
  name = "q"
  name "{limit}"
}
#= experiment: test = 7
#= mixin/5: test = 9
#= mixin/6: name = "q"
