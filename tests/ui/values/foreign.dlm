#! --values values.yaml
#! --values list.yaml
#! --values broken.yaml
#! --values twice.yaml
dlm 1
schema Oven { heat: float = 1 }
schema Bakery {
  oven: Oven
  flour: Oven
  loaves: int > 0 = 12
  seeds: list<string> = []
}
experiment morning extends Bakery { }
#- /values.yaml
oven:
  heat: &hot 2
#       ^^^^^^ error[values::bad_values] anchors are not taken in values files
  <<: *hot
#     ^^^^ error[values::bad_values] aliases are not taken in values files
# ^^ error[values::bad_values]
flour: *hot
#      ^^^^ error[values::bad_values]
loaves: !!int 12
#       ^^^^^^^^ error[values::bad_values]
seeds: [{ a: 1 }]
#       ^ error[values::bad_values]
? [a, b]
# ^ error[values::bad_values]
: 1
---
#<^^ error[values::bad_values]
loaves: 3
#- /list.yaml
- 1
#<| error[values::bad_values]
#- /broken.yaml
loaves: 3
seeds: [a, b
oven: 3
#   ^ error[values::bad_values]
#- /twice.yaml
loaves: 3
loaves: 4
#<^^^^^ error[values::duplicate_key] `loaves` stands here twice
