#! -- lonely --loaves 2e1 --loaf-weight --sold half --open=yes --no-cold no --shape Round --seeds
#! in flags after -- "lonely" error[resolve::flag_value] this belongs to no flag
#! in flags after -- "2e1" error[resolve::flag_value]
#! in flags after -- "--loaf-weight" error[resolve::flag_value]
#! in flags after -- "half" error[resolve::flag_value]
#! in flags after -- "--open=yes" error[resolve::flag_value]
#! in flags after -- "no" error[resolve::flag_value] this belongs to no flag
#! in flags after -- "Round" error[resolve::flag_value]
#! in main.dlm "loaves: int" `loaves` is declared here
dlm 1
schema Bakery {
  loaves: int > 0 = 12                            flag "--loaves"
  loaf_weight: int > 0 = 750                      flag "--loaf-weight"
  sold: fraction in 0..=1 = 90%                   flag "--sold"
  open: bool = false                              flag "--open" store_true
  cold: bool = true                               flag "--no-cold" store_false
  seeds: list<string> = []                        flag "--seeds" many
  shape: Shape = round_loaf                       flag "--shape"
  oven: int = 1
}
enum Shape { round_loaf spelled "round", long_loaf spelled "long" }
experiment morning extends Bakery { }
