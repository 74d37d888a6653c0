dlm 1
schema S {
  a: int = 1 +
    2
  b: list<int> = [
    1,
    2,
  ]
  c: bool = true and
    not false
}
experiment e
  extends S
{
  a = 4; c = false
}
#= e: a = 4
#= e: b = [1, 2]
#= e: c = false
