"""Trials of published compute kernels, by family of operations."""
