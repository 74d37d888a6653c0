dlm 1
schema S {
  a: int = 0
  b: int = 0
  c: int = 0
  d: int = 0
  sum: int = d * 1000 + a * 100 + b * 10 + c
}
experiment base extends S { }
experiment other extends S { c = 9 }
sweep s of base {
  a in [1, 2]
  zip (b, c) in [(1, 5), (2, 6), (3, 7)]
  where b != 2
  limit 3
  name "{a}{b}{c}"
}
sweep joined of s, other {
  d in 3..=4
}
#= s/115: sum = 115
#= s/137: sum = 137
#= s/215: sum = 215
#= joined/0: sum = 3115
#= joined/1: sum = 4115
#= joined/4: sum = 3215
#= joined/6: sum = 3009
#= joined/7: sum = 4009
