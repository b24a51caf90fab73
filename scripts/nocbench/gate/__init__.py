"""The gate: results of one revision against those of another, point by point, by rules that stand in a file."""
