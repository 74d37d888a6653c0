dlm 1
schema Optimizer {
  lr: float = 1.0
  old_lr: float?   deprecated since "0.2" use lr
  gone: float?   deprecated "it did nothing"
  moved: int?   deprecated since "0.3" use train.steps
}
schema Train { steps: int = 1 }
schema Run {
  optimizer: Optimizer
  train: Train
}
experiment e extends Run {
  optimizer.old_lr = 2
# ^^^^^^^^^^^^^^^^ warning[resolve::deprecated_field] `optimizer.old_lr` should no longer be used, since 0.2
  optimizer.moved = 4
# ^^^^^^^^^^^^^^^ warning[resolve::deprecated_field] `optimizer.moved` should no longer be used, since 0.3
}
experiment f extends Run {
  optimizer { old_lr = 2; moved = 3; gone = 1 }
#             ^^^^^^ warning[resolve::deprecated_field] `optimizer.old_lr` should no longer be used, since 0.2
#                         ^^^^^ warning[resolve::deprecated_field] `optimizer.moved` should no longer be used, since 0.3
#                                    ^^^^ warning[resolve::deprecated_field] `optimizer.gone` should no longer be used: it did nothing
}
