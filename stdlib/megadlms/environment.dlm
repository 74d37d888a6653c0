dlm 1

## Facts about the place where the run will be. Rules that need a fact that is not known stay silent.
schema Environment {
  ## Processes of the run, one for each GPU.
  world_size: int? > 0
}
