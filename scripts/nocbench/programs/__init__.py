"""Programs of the user's own kernels: description, layout of data, and execution."""
