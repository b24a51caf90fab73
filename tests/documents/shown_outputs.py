"""Comparison of a command's output with the output shown by a document."""

from __future__ import annotations

import re

_ELISION = re.compile(r"\s*(?:\.\.\.|…)\s*")


def is_like(shown: str, printed: str) -> bool:
    """Returns true if `printed` equals `shown`, in which "..." or "…" stands for any text.

    Spaces and line ends count as one space: documents wrap lines, and may show a table without spaces at line ends.
    """
    parts = [re.escape(_plain(part)) for part in _ELISION.split(shown)]
    return re.fullmatch(".*?".join(rf"\s*{part}\s*" for part in parts), _plain(printed), re.DOTALL) is not None


def _plain(text: str) -> str:
    return " ".join(text.split())
