#! --values values.yaml
dlm 1
enum Shape { round_loaf, long_loaf }
schema Oven { heat: float = 1 }
schema Bakery {
  oven: Oven
  loaves: int > 0 = 12
# ^^^^^^^^^^^^^^^ declared here
  weight: float = 1
  tokens: tokens = 1
  shape: Shape = round_loaf
  big: bool = false
  seeds: list<string> = []
  sizes: list<int> = []
}
experiment morning extends Bakery { }
#- /values.yaml
loavs: 3
#<^^^^ error[resolve::unknown_field]
loaves: "28"
#       ^^^^ error[resolve::wrong_type]
weight: 1:30
#       ^^^^ error[resolve::wrong_type]
tokens: 10GB
#       ^^^^ error[resolve::wrong_unit]
shape: longloaf
#      ^^^^^^^^ error[resolve::unknown_value]
big: no
#    ^^ error[resolve::unknown_value]
seeds: { a: 1 }
#<^^^^ error[resolve::group_and_field]
sizes: [1, 2.5, null]
#          ^^^ error[resolve::not_whole]
#               ^^^^ error[resolve::wrong_type]
oven:
  heat: .inf
#       ^^^^ error[resolve::wrong_type]
  heet: 1
# ^^^^ error[resolve::unknown_field]
