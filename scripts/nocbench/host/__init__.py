"""Host programs of tt-metal: compiled against headers of nocbench, and run on a modeled chip."""
