"""The pages of plots/: sentences, tables and pictures."""
