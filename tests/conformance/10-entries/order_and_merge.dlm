dlm 1
schema T {
  x: int
  y: int = x + 1
  check small: x < 100
}
schema S {
  m: map<string, T>
  v: map<string, int>
  xs: list<int> = m.*.x
  ks: list<string> = keys(m)
  n: int = len(v)
  all: list<int> = values(v)
}
mixin two for S { m "b" { x = 2 } }
experiment a extends S with two {
  m "a" { x = 1 }
  m "b" { y = 7 }
  v { one = 1; "t wo" = 2 }
}
experiment b extends a {
  unset m "b"
  m "c" { x = m."a".x * 10 }
  m "b" { x = 4 }
  v.one = 3
}
experiment c extends a {
  m = { "z" { x = 100 } }
#                 ^^^ error[check::small]
  unset v
}
#= a: xs = [2, 1]
#= a: m.b.y = 7
#= a: m.a.y = 2
#= a: ks = ["b", "a"]
#= a: all = [1, 2]
#= b: ks = ["a", "c", "b"]
#= b: xs = [1, 10, 4]
#= b: m.b.y = 5
#= b: all = [3, 2]
#= c: ks = ["z"]
#= c: n = 0
