dlm 1

## Number formats of weights, activations and gradients, by their usual short names.
enum dtype {
  ## IEEE double precision, 64 bits.
  fp64
  ## IEEE single precision, 32 bits.
  fp32
  ## Single precision with a mantissa of 10 bits, as NVIDIA's tensor cores multiply it.
  tf32
  ## IEEE half precision, 16 bits.
  fp16
  ## Half as wide as `fp32` with the same exponent, 16 bits.
  bf16
  ## 8 bits, 4 of them exponent: more digits, less range.
  fp8_e4m3
  ## 8 bits, 5 of them exponent: more range, fewer digits.
  fp8_e5m2
  ## Signed whole numbers of 8 bits.
  int8
  ## Signed whole numbers of 32 bits.
  int32
  ## Signed whole numbers of 64 bits.
  int64
}
