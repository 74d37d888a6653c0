#! --values values.yaml
dlm 1
enum Shape { round_loaf spelled "round", long_loaf spelled "long" }
schema Oven {
  heat: float = 1
  vent: bool = true
  ramp: duration? = 5 min
}
schema Bakery {
  oven: Oven
  flour: Oven
  loaves: int > 0 = 12
  weight: float = 1
  tokens: tokens = 1
  sold: fraction in 0..=1 = 90%
  note: string = ""
  time: string = ""
  open: string? = "x"
  none_there: int? = 3
  shape: Shape = round_loaf
  other: Shape = round_loaf
  seeds: list<string> = []
  sizes: list<int> = []
  big: bool = false
}
experiment morning extends Bakery {
  check all: loaves == 10 and weight == 0.0003 and tokens == 10T tokens and sold == 0.01 and note == "no" and
    time == "1:30" and open is unset and none_there is unset and shape == long_loaf and other == long_loaf and
    seeds == ["a b", "3"] and sizes == [1000, 2048] and big and oven.heat == -0.5 and not oven.vent and
    oven.ramp is unset
    else "{loaves} {weight} {tokens} {sold} {note} {time} {shape} {seeds} {sizes} {oven.heat}"
}
#- /values.yaml
# Shapes of YAML, meanings of dlm.
loaves: 010
weight: 3e-4
tokens: 10T tokens
sold: 1%
note: no
time: 1:30
open: ~
none_there: none
shape: long
other: 'long_loaf'
seeds:
  - a b
  - 3
sizes: [1_000, 2Ki]
big: True
oven.heat: -.5
oven:
  vent: false
  ramp:
flour:
#<^^^^ error[resolve::group_and_field] `flour` is a group of fields, not a field
