"""OpenSHMEM programs on an Epiphany machine: requests, runs, and reports."""
