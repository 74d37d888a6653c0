dlm 1

## Which positions are committed in a denoising step.
enum Remasking {
  ## Those whose predicted token is most probable; the others stay masked.
  low_confidence
  ## Random ones.
  random
}

## How the embedded runtime writes text with the trained model.
schema Sampling {
  ## Text that is given. It may be empty.
  prompt: string = ""

  ## Tokens to write after it.
  length: int > 0 = 128

  ## Tokens of a block. Blocks are finished from left to right.
  block_length: int > 0 = length

  ## Denoising steps over the whole length. As many as tokens: one token a step, the best and slowest.
  steps: int > 0 = length

  ## 0 takes the most probable token; above, tokens are drawn, the more freely the higher.
  temperature: float >= 0 = 0.0

  ## Which positions are committed in a step.
  remasking: Remasking = low_confidence

  ## Texts to write.
  count: int > 0 = 1

  ## Blocks are of one size.
  check blocks_fill_length: length % block_length == 0
    else "blocks of {block_length} tokens do not fill a `length` of {length}"
    help "{nearest_divisor(length, block_length)} is the nearest block that does"
    fix block_length = nearest_divisor(length, block_length)

  ## Every block gets the same number of steps.
  check blocks_share_steps: steps % (length // block_length) == 0
    when length % block_length == 0
    else "{steps} steps cannot be shared evenly by {length // block_length} blocks"
    help "{round_up(steps, length // block_length)} steps can"
    fix steps = round_up(steps, length // block_length)

  ## A step that commits nothing is wasted.
  warn steps_commit_something: steps <= length
    else "{steps} steps for {length} tokens: some commit nothing"
    help "one token a step is the most careful way"
    fix steps = length
}
