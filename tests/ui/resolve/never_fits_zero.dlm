dlm 1
schema S {
  any: float = 1
  share: float in 0..=1 = 0.5
  rate: float > 0 = 1
}
# Zero times a number without known ends is zero, from either side.
mixin m for S {
  share = 0 * any
  rate = any * 0
#        ^^^^^^^ error[resolve::out_of_range]
}
