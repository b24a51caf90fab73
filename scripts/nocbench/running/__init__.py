"""Carries points out, on one process or many, and remembers what has finished."""
