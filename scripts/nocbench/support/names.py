"""Names that users give to tests, kernels and flows: they stand in tables, file names and pages."""

from __future__ import annotations

from nocbench.support.errors import InputError

NAME = "a name on one line, of printable characters, that does not begin with =, +, - or @"
"""What a name may be, in words. Spreadsheets take a cell that begins with one of these for a formula."""

_FORMULA = ("=", "+", "-", "@")


def is_name(text: str) -> bool:
    """Whether a text may be a name."""
    return text.isprintable() and not text.startswith(_FORMULA)


def require_name(text: str, where: str) -> None:
    """Raises InputError, which begins with `where`, unless a text may be a name."""
    if not is_name(text):
        raise InputError(f"{where}: expected {NAME}, found {text!r}")
