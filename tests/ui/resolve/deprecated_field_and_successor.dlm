dlm 1
schema S {
  lr: float = 1.0
  old_lr: float?   deprecated since "0.2" use lr
}
experiment e extends S {
  old_lr = 2
# ^^^^^^ warning[resolve::deprecated_field]
  lr = 1
# ^^ `lr` is set here
}
