"""Search for faster tables of flows: variations, search, and report."""
