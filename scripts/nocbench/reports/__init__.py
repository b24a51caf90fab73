"""Reports: what the gate found, and results, in the forms that people and other programs read."""
