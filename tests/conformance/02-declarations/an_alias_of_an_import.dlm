#- /base.dlm
dlm 1
schema Base { a: int = 1 }
#- /main.dlm
dlm 1
use "base.dlm" { Base as Other }
experiment e extends Other { a = 2 }
#= e: a = 2
