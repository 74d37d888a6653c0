dlm 1
# What is declared in a way that was complained about is no unknown name where it is used.
schema S {
  lr float = 3
#    ^^^^^ error[syntax::unexpected] expected `:`, found `float`
  size: nosuch
#       ^^^^^^ error[resolve::unknown_type] there is no type `nosuch`
  doubled: int = size * 2
  shape: Nope
#        ^^^^ error[resolve::unknown_type] there is no type `Nope`
  check bounds: lr > 0 and shape.depth < 3
}
experiment e extends S {
  lr = 3
  size = 2
  shape.depth = 3
  shape { width = 4 }
  other = 2
# ^^^^^ error[resolve::unknown_field] `S` has no field `other`
}
sweep scan of e {
  lr in [1, 2]
  where size > 2
}
test "still there" for e {
  expect lr > 2
}
