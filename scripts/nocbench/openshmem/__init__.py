"""Programs for OpenSHMEM on an Epiphany machine: what to run, how they run, and what is said of them."""
