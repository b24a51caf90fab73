"""The compiler that is taken where nobody names one for a kernel: a choice for all kernels that a process compiles."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_chosen: list[Path | None] = [None]


def chosen_compiler() -> Path | None:
    """What was chosen; None: nothing, so that it is the usual one."""
    return _chosen[-1]


@contextlib.contextmanager
def compiled_by(compiler: Path | None) -> Iterator[None]:
    """Takes another compiler meanwhile, in all threads."""
    _chosen.append(compiler)
    try:
        yield
    finally:
        _chosen.pop()
