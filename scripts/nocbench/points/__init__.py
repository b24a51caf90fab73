"""Tests and points: the boundary to the simulator, selections, values of axes and settings."""
