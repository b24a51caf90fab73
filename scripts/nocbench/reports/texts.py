"""Distinct texts, stored once."""

from __future__ import annotations


class Texts:
    """Distinct texts with their positions, for JSON in which many values repeat."""

    def __init__(self) -> None:
        """Starts without texts."""
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        """Returns the position of a text; adds it if it is new."""
        return self._places.setdefault(text, len(self._places))

    def all(self) -> list[str]:
        """Returns the texts by position."""
        return list(self._places)
