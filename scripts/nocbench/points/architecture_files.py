"""Architectures in the user's own files, named by the path of the file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.points import simulator
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

_SUFFIX = ".yaml"


class _NameInFile(str):
    """Name of an architecture from a file. A process that unpickles the name reads the file.

    Attributes:
        path: path of the file.
    """

    path: Path

    def __reduce__(self) -> tuple[Callable[[str], str], tuple[Any, ...]]:
        return name_of, (str(self.path),)


def name_of(architecture: str | Path) -> str:
    """Returns the name of an architecture, given by its name or by the path of its file.

    Raises:
        InputError: mistakes in the file, or another architecture with the same name.
    """
    if isinstance(architecture, str) and not (architecture.endswith(_SUFFIX) or os.sep in architecture):
        return architecture
    path = Path(architecture).absolute()
    if path.suffix != _SUFFIX:
        raise InputError(f"architecture: expected a name or the path of a file *{_SUFFIX}, found {architecture}")
    name = _NameInFile(simulator.add_architecture(path))
    name.path = path
    return name


def as_given(architecture: str) -> str:
    """Returns the name of an architecture, or the path of its file, for another process's command line."""
    return str(architecture.path) if isinstance(architecture, _NameInFile) else architecture
