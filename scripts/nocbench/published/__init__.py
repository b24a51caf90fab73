"""Published measurements, and errors of results against them."""
