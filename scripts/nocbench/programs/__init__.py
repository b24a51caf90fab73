"""Programs of a user's own kernels: what they are, where their data are, and running them."""
