"""Programs of a user's own kernels: description, layout of data, and execution."""
