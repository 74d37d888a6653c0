#! --add seeds="poppy"
#! --add loaves=3
#!             ^ error[resolve::group_and_field]
#! --unset seedz
#!         ^^^^^ error[resolve::unknown_field]
#! --with large
#! --with std.recipes.wsq
#!        ^^^^^^^^^^^^^^^ error[resolve::unknown_name]
#! --with small
#!        ^^^^^ error[resolve::duplicate_mixin] again here
dlm 1
schema Bakery {
  loaves: int > 0 = 12
  seeds: list<string> = []
}
mixin small for Bakery { loaves = 2 }
mixin large for Bakery { loaves = 200 }
experiment morning extends Bakery with small {
#                                      ^^^^^ taken here already
  seeds += "linseed"
}
