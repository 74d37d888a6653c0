dlm 1
schema S {
  a: int? = none
  b: int = 3
  check above: a > b
  warn odd: b % 2 == 0 when b > 1 else "b is {b}"
}
experiment silent extends S { b = 2 }
experiment wrong extends S {
  a = 1
#     ^ error[check::above]
  b = 4
}
experiment warned extends S { b = 5 }
#                                 ^ warning[check::odd]
abstract experiment base extends S { a = 1 }
