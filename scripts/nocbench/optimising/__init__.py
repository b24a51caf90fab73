"""Searches for faster tables of flows: variations, the search, and its report."""
