dlm 1

schema Oven {
  ## Whether it is on.
  set: bool = true
# ^^^ error[syntax::keyword_as_name] `set` is a keyword, not a name
}
