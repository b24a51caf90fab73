"""Etherbone: descriptions of messages, network captures, and modeled FPGAs that serve real programs."""
