"""Searches for faster tables of flows: what may vary, the search, and its report."""
