"""Paths of the published measurements that come with nocbench: in plots/reference of a checkout, or in a wheel."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError
from nocbench.support.package import PACKAGE
from nocbench.support.revision import checkout

if TYPE_CHECKING:
    from pathlib import Path


def default_reference_files() -> list[Path]:
    """Returns the files with points of tests: plots/reference/*.csv.

    Raises:
        InputError: there are no files.
    """
    for directory in _reference_directories():
        files = sorted(directory.glob("*.csv"))
        if files:
            return files
    raise InputError("no published measurements were found beside this installation; name a file with --reference")


def reference_file(name: str) -> Path:
    """Returns the path of a published table, given by its path below plots/reference.

    Raises:
        InputError: the file does not exist.
    """
    for directory in _reference_directories():
        if (directory / name).is_file():
            return directory / name
    raise InputError(f"the published figures {name} were not found beside this installation")


@cache
def reference_names() -> tuple[str, ...]:
    """Returns the paths of all published tables below plots/reference."""
    for directory in _reference_directories():
        names = sorted(file.relative_to(directory).as_posix() for file in directory.rglob("*.csv"))
        if names:
            return tuple(names)
    return ()


def _reference_directories() -> list[Path]:
    packaged = PACKAGE / "reference"
    directory = checkout()
    return [packaged] if directory is None else [directory / "plots" / "reference", packaged]
