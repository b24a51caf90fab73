"""The compiler that all kernels of this process use by default."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_chosen: list[Path | None] = [None]


def chosen_compiler() -> Path | None:
    """Returns the chosen compiler; None for the default compiler."""
    return _chosen[-1]


@contextlib.contextmanager
def compiled_by(compiler: Path | None) -> Iterator[None]:
    """Makes another compiler the default within the block, in all threads."""
    _chosen.append(compiler)
    try:
        yield
    finally:
        _chosen.pop()
