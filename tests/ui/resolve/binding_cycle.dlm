dlm 1

let dozen = half * 2
#   ^^^^^ error[resolve::binding_cycle] `dozen` is declared here
let half = dozen / 2
