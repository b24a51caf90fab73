"""Commands as functions for scripts and notebooks, on files and data frames. Their results display themselves."""
