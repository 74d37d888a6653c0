#! --values v.yaml
#- /main.dlm
dlm 1
enum Mode { fast_one spelled "fast-one", slow }
schema T { x: float = 0 }
schema S {
  a: float = 0
  b: int = 0
  c: string = ""
  d: Mode = slow
  e: int? = 1
  f: bool = false
  g: tokens = 1
  m: map<string, T>
  l: list<string> = []
}
experiment e extends S { m "p.q" { x = 1 } }
#- /v.yaml
a: 3e-4
b: 010
c: no
d: fast-one
e: null
f: True
g: 10B tokens
m:
  "p.q": { x: .5 }
  r: { x: 2 }
l: [1, yes]
#= e: a = 0.0003
#= e: b = 10
#= e: c = "no"
#= e: d = fast_one
#= e: e = none
#= e: f = true
#= e: g = 10000000000 tokens
#= e: m."p.q".x = 0.5
#= e: m.r.x = 2
#= e: l = ["1", "yes"]
