"""The page of OpenSHMEM on an Epiphany, which repeats the evaluation of the paper."""
