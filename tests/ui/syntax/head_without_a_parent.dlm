dlm 1
# One report: that nothing is extended is the same fault again.
experiment d extends {
#            ^^^^^^^ error[syntax::unexpected]
}
