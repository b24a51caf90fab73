"""Runs of points, in one or many processes, and caching of their results."""
