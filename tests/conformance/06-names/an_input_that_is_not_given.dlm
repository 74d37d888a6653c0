dlm 1
input root: path
schema S {
  where: path = root / "a"
  there: bool = where is set
  n: int = 1
  check known: n < 5
  check unknown: where != "x/a"
}
experiment e extends S { n = 7 }
#                            ^ error[check::known]
#= e: where = <input root>
#= e: there = <input root>
