"""Parts shared by all pictures."""
