dlm 1
schema S {
  lr: float = 1
  min_lr: float = lr / 10
  half: float = 0
}
experiment a extends S { half = lr / 2 }
experiment b extends a { lr = 8 }
experiment c extends b { lr = super * 2; half = super + 1 }
#= a: min_lr = 0.1
#= b: min_lr = 0.8
#= b: half = 4
#= c: lr = 16
#= c: half = 9
