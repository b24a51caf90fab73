"""The page of Epiphany, which compares transfers with published ones."""
