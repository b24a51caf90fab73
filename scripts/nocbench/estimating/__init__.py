"""Estimates: one question about data movement, one number."""
