dlm 1

## What the compiled network is found to have; for checks and tests to hold bounds on.
schema Graph {
  ## Trainable numbers of the whole network, embedding and head included.
  params: int computed
}
