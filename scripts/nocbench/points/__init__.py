"""Tests and points: the interface to the simulator, selections, values of axes and settings."""
