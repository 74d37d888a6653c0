dlm 1
schema G {
  x: int = 1
  y: list<int> = [1]
}
schema S {
  g: G
  z: int?
}
experiment a extends S {
  g { x = 2; y += 2 }
  z = 3
}
experiment b extends a {
  g.y -= 1
  unset g.x
  z = none
}
experiment c extends a {
  g = { x = 5 }
}
#= a: g.y = [1, 2]
#= b: g.y = [2]
#= b: g.x = 1
#= b: z = none
#= c: g.x = 5
#= c: g.y = [1]
