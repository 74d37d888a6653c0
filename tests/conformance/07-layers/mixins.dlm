dlm 1
schema S {
  a: int = 0
  b: int = 0
}
mixin one for S { a = 1; b = 1 }
mixin two for S { a = 2; b = 1 }
experiment over extends S with one, two over one.a { }
experiment body extends S with one, two { a = 3 }
experiment clash extends S with one, two { }
#                               ^^^^^^^^ error[check::mixin_conflict] both are taken here
#= over: a = 2
#= body: a = 3
