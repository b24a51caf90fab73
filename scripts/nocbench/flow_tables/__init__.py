"""Tables of flows, which state sources, destinations, sizes and times of transfers: reading, running, reports."""
