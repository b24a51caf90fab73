"""One point in detail: in words, on the floor plan, on a time line."""
