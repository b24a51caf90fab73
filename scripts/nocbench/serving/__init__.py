"""A server that answers questions of pages in a browser: curves of changed machines, and cycles of kernels."""
