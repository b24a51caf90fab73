"""Runs points, in one process or many, and keeps finished results."""
