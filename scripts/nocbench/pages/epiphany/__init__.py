"""Epiphany: transfers as they were published, and the page about them."""
