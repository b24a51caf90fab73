"""Etherbone: messages in words, captures of them, and modeled FPGAs that real programs reach."""
