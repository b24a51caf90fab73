"""Suites: tests of kernel programs, in a folder of the user's own."""
