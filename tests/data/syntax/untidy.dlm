

## head

dlm   1
use a.{b,c as d , e}
use "x.dlm"{ A,B }
use std.very_long_module_name.{aaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccc, d}
use y.{ # first
  a, # one
  # above b
  b }


experiment a   extends B  with c,d over d.x.y , e # why
{
  x=1#c

  # own
  long.path.here   = -3   # d
  final z ?= 10T   tokens
  betas += [1,2 , 3,]
  data { path = data_root/"train";weight=1.0 }

  }
experiment b { x = 1; y = 2
  z {} 
  w { 

   a = 1 ; b = 2 # trail


  }
  xs = [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccccccccc, [1,2]]
  ys = [ 1, # one
    2
    # two
    , 3 # three
    # end
  ]
  s = a+b*-c - -d%2 + 7 %2 + 1% - f( -x, [ -1 ] )
  t = if a  and not(b) then c else if d then(e) else - f
  u = a +  # first
     b +
   c
  v = (a
    + b * (c
      - d)
  )
  check c : a in 0 .. 3 when x is  set
  else "a {b}"
    # about help
    help "h" 
  fix a.b=3
  check d: if a
     then b else
     c
  unset   q
  help = 3
}
enum E { a, b
  ## doc
  c spelled  "C",
  d, # dd
}
enum F{a,b}
schema S{
  a:int?=3
  b : list< list<int> ? >  in 0.. flag "--x"   "--y" many renamed   from z
    deprecated "x"
  c: tokens|samples >-3 multiple of -3 = [1 , 2]   # x
  flag: int # yy
}
