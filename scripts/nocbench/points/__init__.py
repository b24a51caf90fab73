"""What can be run: the boundary to the simulator, tests and points, values of axes and settings."""
