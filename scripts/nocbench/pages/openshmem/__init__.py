"""The page of OpenSHMEM on an Epiphany: the evaluation of the paper, made again."""
