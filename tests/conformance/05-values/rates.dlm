dlm 1
# An amount over a time is a rate, over its rate a time; a rate for a time is an amount.
schema S {
  hbm: bandwidth = 4.8 TB/s
  link: bandwidth = 900GB/s
  speed: throughput = 25k tokens/s
  peak: flops = 989 TFLOPS
  read: duration = 144 GB / hbm
  moved: bytes = 2 s * link
  written: bandwidth = 3 GiB / 2 s
  share: float = link / hbm
  days: duration = 10B tokens / speed
  done: tokens = speed * 1 h
  s: int = 4
  plain: int = 8 / s
}
experiment e extends S { }
#= e: hbm = 4800000000000 bytes/s
#= e: link = 900000000000 bytes/s
#= e: speed = 25000 tokens/s
#= e: peak = 989000000000000 FLOPS
#= e: read = 0.03 s
#= e: moved = 1800000000000 bytes
#= e: written = 1610612736 bytes/s
#= e: share = 0.1875
#= e: days = 400000 s
#= e: done = 90000000 tokens
#= e: plain = 2
