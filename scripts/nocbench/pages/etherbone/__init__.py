"""The page of Etherbone, by which hosts access a Wishbone bus."""
