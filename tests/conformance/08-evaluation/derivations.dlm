dlm 1
schema S {
  a: int? = none
  b: int = 5
  derive a = 1 when b > 7
  derive a = b * 2
  derive b = super + 100 when b == 9
}
experiment unset_field extends S { }
experiment set_field extends S { a = 3 }
experiment first_holds extends S { a = 3; b = 8 }
experiment changed extends S { b = 9 }
#= unset_field: a = 10
#= set_field: a = 3
#= first_holds: a = 1
#= changed: b = 109
#= changed: a = 1
