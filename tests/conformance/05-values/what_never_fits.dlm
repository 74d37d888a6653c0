dlm 1
schema S {
  width: int > 0 = 8
  lr: float >= 0 = 0.1
  share: fraction in 0..=1 = 0.5
}
mixin unused for S {
  lr = -width
#      ^^^^^^ error[resolve::out_of_range]
  share = if width > 4 then 2 else share_of
#                           ^ error[resolve::out_of_range]
#                                  ^^^^^^^^ error[resolve::unknown_value]
}
mixin fine for S {
  lr = width - 9
  share = if width > 4 then 0.1 else 0.9
}
