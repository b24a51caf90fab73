"""Kernels compiled for the processor of a tile."""
