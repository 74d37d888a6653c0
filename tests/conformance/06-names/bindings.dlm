dlm 1
let b = a * 2
let a = 3
input from_outside: int = 4
schema S {
  x: int = b + from_outside
  y: int = x
}
experiment e extends S { y = b }
#= e: x = 10
#= e: y = 6
