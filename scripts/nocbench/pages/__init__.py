"""The pages in plots/: sentences, tables and pictures."""
