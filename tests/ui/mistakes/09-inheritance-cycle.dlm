dlm 1

experiment a extends b {
#                    ^ error[resolve::inheritance_cycle] `a` extends `b`
}

experiment b extends c {
  model.num_layers = 2
}

experiment c extends a {
}
