"""Shared parts: files, errors, units, wording, and the columns of result rows."""
