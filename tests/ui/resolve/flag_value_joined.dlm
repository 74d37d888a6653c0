#! -- --sold -1e-5 --loaves nan --loaf-weight -1
#! in flags after -- "--sold -1e-5" error[resolve::flag_value]
#! in flags after -- "nan" error[resolve::flag_value]
#! in flags after -- "-1" error[resolve::out_of_range] 
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
