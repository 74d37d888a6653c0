dlm 1
type Share = fraction in 0..=1
schema S {
  a: float = 2
  b: path = "x"
  c: iters = 5
  d: tokens | iters = 5 iters
  e: list<float> = [1, 2.5]
  f: Share? = none
}
experiment e extends S { f = 50% }
experiment g extends S {
  f = 3
#     ^ error[resolve::out_of_range]
}
#= e: a = 2
#= e: c = 5 iters
#= e: d = 5 iters
#= e: f = 0.5
