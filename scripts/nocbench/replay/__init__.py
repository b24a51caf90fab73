"""NoC event traces of tt-metal's profiler: read, replayed on the model, and compared."""
