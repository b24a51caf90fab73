"""Modeled architectures: names, files, descriptions."""
