dlm 1
schema Inner {
  a: int = 1
  b: int = a
}
schema S {
  a: int = 10
  inner: Inner
  c: int = a
}
experiment e extends S { inner.b = a + c }
#= e: inner.b = 11
#= e: c = 10
