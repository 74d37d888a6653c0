dlm 1

schema Tray0 { loaves: int > 0 = 12 }

schema Tray1 {
  left: Tray0
  right: Tray0
}

schema Tray2 {
  left: Tray1
  right: Tray1
}

schema Tray3 {
  left: Tray2
  right: Tray2
}

schema Tray4 {
  left: Tray3
  right: Tray3
}

schema Tray5 {
  left: Tray4
  right: Tray4
}

schema Tray6 {
  left: Tray5
  right: Tray5
}

schema Tray7 {
  left: Tray6
  right: Tray6
}

schema Tray8 {
  left: Tray7
  right: Tray7
}

schema Tray9 {
  left: Tray8
  right: Tray8
}

schema Tray10 {
  left: Tray9
  right: Tray9
}

schema Tray11 {
  left: Tray10
  right: Tray10
}

schema Tray12 {
  left: Tray11
  right: Tray11
}

schema Tray13 {
  left: Tray12
  right: Tray12
# ^^^^^ error[resolve::limit] a schema has more than 20000 fields, groups and rules
}

experiment morning extends Tray13 { }
