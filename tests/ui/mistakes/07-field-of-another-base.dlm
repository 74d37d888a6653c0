#- /base.dlm
dlm 1

schema Model {
  ## Width of the residual stream.
  hidden_size: int > 0 = 64   renamed from d_model
  num_layers: int > 0 = 2
}

schema Job {
  model: Model
}

experiment base extends Job {
}
#- /exp.dlm
dlm 1

use "base.dlm" { base }

experiment wide extends base {
  model.d_model = 128
#       ^^^^^^^ error[resolve::renamed_field] `d_model` is called `hidden_size` now
  model.latent_rank = 16
#       ^^^^^^^^^^^ error[resolve::unknown_field] group `model` has no field `latent_rank`
}
