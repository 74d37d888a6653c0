dlm 1
schema S {
  a: float = 3e-4 / 10
  b: float = 0.1 + 0.2
  c: float = 1 / 8
  d: int = 10 / 5
  e: int = -7 // 2
}
experiment e extends S { }
#= e: a = 3e-5
#= e: b = 0.3
#= e: c = 0.125
#= e: d = 2
#= e: e = -4
