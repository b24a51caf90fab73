"""Etherbone on the wire: messages in words, and captures of them."""
