"""The page of Etherbone, by which hosts reach a Wishbone bus."""
