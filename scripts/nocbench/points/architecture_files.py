"""Architectures in files of the user's own, which are named by the path of the file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.points import simulator

if TYPE_CHECKING:
    from collections.abc import Callable

_SUFFIX = ".yaml"


class _NameInFile(str):
    """The name of an architecture, which every process knows that it is sent to.

    Attributes:
        path: of its file.
    """

    path: Path

    def __reduce__(self) -> tuple[Callable[[str], str], tuple[Any, ...]]:
        return name_of, (str(self.path),)


def name_of(architecture: str | Path) -> str:
    """Returns the name of an architecture, which may be given by the path of its file.

    Raises:
        InputError: mistakes in the file, or another architecture of this name.
    """
    if isinstance(architecture, str) and not (architecture.endswith(_SUFFIX) or os.sep in architecture):
        return architecture
    path = Path(architecture).absolute()
    name = _NameInFile(simulator.add_architecture(path))
    name.path = path
    return name


def as_given(architecture: str) -> str:
    """Returns what names an architecture on the command line of another process."""
    return str(architecture.path) if isinstance(architecture, _NameInFile) else architecture
