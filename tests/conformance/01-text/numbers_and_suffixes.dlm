dlm 1
schema S {
  a: int = 1_000
  b: int = 2Ki
  c: float = 3e-4
  d: int = 1.5k
  e: tokens = 10B
  f: bytes = 80 GiB
  g: duration = 90 min
  h: bytes = 10B
}
experiment e extends S { }
#= e: a = 1000
#= e: b = 2048
#= e: c = 0.0003
#= e: d = 1500
#= e: e = 10000000000 tokens
#= e: f = 85899345920 bytes
#= e: g = 5400 s
#= e: h = 10 bytes
