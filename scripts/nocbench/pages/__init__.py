"""The pages of plots/: what they say and what they show."""
