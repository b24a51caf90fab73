"""Programs for OpenSHMEM, on the modeled cores of an Epiphany machine."""
