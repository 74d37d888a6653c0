#! -- --loavs 20 --oven 2 --no-such-thing 3 -x
#! in flags after -- "--loavs" error[resolve::unknown_flag]
#! in flags after -- "--oven" error[resolve::unknown_flag]
#! in flags after -- "--no-such-thing" error[resolve::unknown_flag]
#! in flags after -- "-x" error[resolve::unknown_flag]
#! in main.dlm "oven: int" `oven` is declared here
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
