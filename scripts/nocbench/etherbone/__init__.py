"""Modeled FPGAs that real programs reach by Etherbone."""
