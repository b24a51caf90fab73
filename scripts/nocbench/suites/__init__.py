"""Suites: tests of kernel programs and tables of flows, in the user's own folder."""
