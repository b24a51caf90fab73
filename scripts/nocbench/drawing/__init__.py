"""Common parts of all pictures."""
