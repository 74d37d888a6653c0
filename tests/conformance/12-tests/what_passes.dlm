#! test
dlm 1
schema S {
  a: int = 1
  check small: a < 10
}
experiment e extends S { }
test "passes" for e { expect a == 1 }
test "is set first" for e { a = 3; expect a == 3 }
test "expects an error" for e { a = 30; expect error small }
test "does not hold" for e { expect a == 2 }
#                            ^^^^^^^^^^^^^ error[check::expectation] expected here
test "is not violated" for e { expect error small }
#                                           ^^^^^ error[check::expectation]
