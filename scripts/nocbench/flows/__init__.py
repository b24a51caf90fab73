"""Tables of flows: who moves data to whom, how much, and when. They are read, run, and reported on."""
