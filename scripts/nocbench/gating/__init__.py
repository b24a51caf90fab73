"""The gate: a comparison of results of two revisions point by point, by the rules of a policy file."""
