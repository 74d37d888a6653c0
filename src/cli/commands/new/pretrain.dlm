dlm 1
