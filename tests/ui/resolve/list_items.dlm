dlm 1
# Each item that does not fit is marked, and not the list.
schema S {
  sizes: list<int> in 1..=10 = [1]
  share: fraction in 0..=1 = 1%
  lr: float = 3e-4
}
experiment e extends S {
  sizes = [3, 4, 11, 12]
#                ^^ error[resolve::out_of_range] `sizes` must be at least 1 and at most 10, but this is 11
#                    ^^ error[resolve::out_of_range] `sizes` must be at least 1 and at most 10, but this is 12
  share = 200%
#         ^^^^ error[resolve::out_of_range] `share` must be at least 0 and at most 1, but this is 2
  lr = 3e-4x
#          ^ error[resolve::unknown_unit] `x` is neither a unit nor a multiple
}
mixin m for S {
  sizes += [2, 50]
#              ^^ error[resolve::out_of_range] `sizes` must be at least 1 and at most 10, but this is 50
}
mixin n for S {
  sizes += 51
#          ^^ error[resolve::out_of_range] `sizes` must be at least 1 and at most 10, but this is 51
}
