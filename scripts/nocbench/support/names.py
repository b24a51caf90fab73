"""Names given by users to tests, kernels and flows, for tables, file names and pages."""

from __future__ import annotations

from nocbench.support.errors import InputError

NAME = "a name on one line, of printable characters, that does not begin with =, +, - or @"
"""Rule for names, in words. Spreadsheets read a cell that begins with one of these characters as a formula."""

_FORMULA = ("=", "+", "-", "@")


def is_name(text: str) -> bool:
    """Returns True for a valid name."""
    return text.isprintable() and not text.startswith(_FORMULA)


def require_name(text: str, where: str) -> None:
    """Raises InputError, whose message begins with `where`, unless a text is a valid name."""
    if not is_name(text):
        raise InputError(f"{where}: expected {NAME}, found {text!r}")
