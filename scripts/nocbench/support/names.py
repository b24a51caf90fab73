"""Names that users give to tests, kernels and flows, for tables, file names and pages."""

from __future__ import annotations

from nocbench.support.errors import InputError

NAME = "a name on one line, of printable characters, that does not begin with =, +, - or @"
"""Rule for names, in words. Spreadsheets take a cell that begins with one of these characters for a formula."""

_FORMULA = ("=", "+", "-", "@")


def is_name(text: str) -> bool:
    """True if a text is a valid name."""
    return text.isprintable() and not text.startswith(_FORMULA)


def require_name(text: str, where: str) -> None:
    """Raises InputError, which begins with `where`, unless a text is a valid name."""
    if not is_name(text):
        raise InputError(f"{where}: expected {NAME}, found {text!r}")
