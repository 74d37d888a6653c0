dlm 1
schema S {
  a: int = 2 + 3 * 4
  b: int = -2 * 3
  c: bool = not 1 == 2 and false or true
  d: int = 7 - 2 - 1
  e: float = 8 / 2 / 2
  f: int = if 1 < 2 then 3 else 4 + 1
  g: bool = 3 in 1..3 or 3 in [1, 2]
  h: bool = 3 in 1..=3 and 4 not in [1, 2]
}
experiment e extends S { }
#= e: a = 14
#= e: b = -6
#= e: c = true
#= e: d = 4
#= e: e = 2
#= e: f = 3
#= e: g = false
#= e: h = true
