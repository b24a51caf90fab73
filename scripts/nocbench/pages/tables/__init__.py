"""The tables on the pages."""
