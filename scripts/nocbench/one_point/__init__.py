"""One point, looked at closely: in words, on the floor plan, on a time line."""
