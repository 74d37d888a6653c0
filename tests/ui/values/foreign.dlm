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
oven: &hot
  heat: 2
  <<: *hot
# ^^ error[syntax::foreign_values]
flour: *hot
#      ^^^^ error[syntax::foreign_values]
loaves: !!int 12
#       ^^^^^^^^ error[syntax::foreign_values]
seeds: [{ a: 1 }]
#       ^ error[syntax::foreign_values]
? [a, b]
# ^ error[syntax::foreign_values]
: 1
---
#<^^ error[syntax::foreign_values]
loaves: 3
#- /list.yaml
- 1
#<| error[syntax::bad_values]
#- /broken.yaml
loaves: 3
seeds: [a, b
oven: 3
#   ^ error[syntax::bad_values]
#- /twice.yaml
loaves: 3
loaves: 4
#<^^^^^ error[syntax::duplicate_key] again here
