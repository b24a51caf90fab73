"""Published measurements, and the distance of results from them."""
