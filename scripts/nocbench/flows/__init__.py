"""Tables of flows, which state who moves data to whom, how much, and when: reading, running, reports."""
