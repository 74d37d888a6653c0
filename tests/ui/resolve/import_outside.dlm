dlm 1

use "../shared/base.dlm" { Bakery }
