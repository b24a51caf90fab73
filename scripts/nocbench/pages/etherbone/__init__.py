"""The page of hosts that reach a Wishbone bus by Etherbone."""
