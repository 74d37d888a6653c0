dlm 1
schema S {
  a: int = 0
  b: int = 0
  c: int = 0
  d: int = 0
  e: int = 0
  f: int = 0
  g: list<int> = []
  h: list<int> = []
}
experiment low extends S {
  a = 1
  b = 1
  c ?= 1
  d ?= 1
  e = 1
  final f = 1
  g = [1, 2, 1]
  h = [1]
}
experiment high extends low {
  a = 2
  b ?= 2
  c = 2
  d ?= 2
  e = super + 1
  f ?= 2
  g -= 1
  h += [2, 3]
}
experiment highest extends high {
  unset c
  unset e
}
#= high: a = 2
#= high: b = 1
#= high: c = 2
#= high: d = 2
#= high: e = 2
#= high: f = 1
#= high: g = [2]
#= high: h = [1, 2, 3]
#= highest: c = 0
#= highest: e = 0
