"""What was published, and how far results are from it."""
