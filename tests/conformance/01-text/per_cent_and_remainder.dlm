dlm 1
schema S {
  a: fraction = 1%
  b: int = 7 % 2
  c: int = -7 % 3
}
experiment e extends S { }
#= e: a = 0.01
#= e: b = 1
#= e: c = 2
