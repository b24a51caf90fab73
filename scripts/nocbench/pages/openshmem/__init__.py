"""The page of OpenSHMEM on an Epiphany, which repeats the evaluation in the paper."""
