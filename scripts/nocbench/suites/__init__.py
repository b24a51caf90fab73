"""Suites: tests of programs of kernels, in a folder of the user's own."""
