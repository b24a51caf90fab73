"""Shared parts: files, errors, units, words, the columns of result rows."""
