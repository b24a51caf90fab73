"""One point in detail: explanation, heat map, and timeline."""
