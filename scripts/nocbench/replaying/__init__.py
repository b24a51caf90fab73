"""NoC event traces of tt-metal's profiler: reading, replay on the model, and comparison."""
