"""Bandwidth against transaction size below the roofs of latency and link width: numbers and picture."""
