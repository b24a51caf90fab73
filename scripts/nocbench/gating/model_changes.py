"""Differences between the models of two revisions: constants by name, and architectures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.points.constants import constants_in, text_of, value_of
from nocbench.points.yaml_files import read_yaml
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

CHANGED_CONSTANT = "changed constant: "
"""Prefix of notices about a constant."""

_MOST_LISTED = 10


def changed_architectures(base: Path, head: Path) -> list[str]:
    """Returns a line for each architecture that only one of the two folders has."""
    names = [{path.stem for path in folder.glob("*.yaml")} for folder in (base, head)]
    return [
        *(f"the architecture {name} is new" for name in sorted(names[1] - names[0])),
        *(f"the architecture {name} is no longer there" for name in sorted(names[0] - names[1])),
    ]


def changed_constants(base: Path, head: Path) -> list[str]:
    """Compares the constants of architecture files that exist in both folders.

    Returns:
        A line per constant that differs, such as "wormhole_b0: router.hop_cycles: 9 -> 10".
    """
    lines = []
    for name in sorted({path.name for path in base.glob("*.yaml")} & {path.name for path in head.glob("*.yaml")}):
        sides = [dict(_constants(folder / name)) for folder in (base, head)]
        for path in dict.fromkeys([*sides[0], *sides[1]]):
            values = [side.get(path, "nothing") for side in sides]
            if values[0] != values[1]:
                lines.append(f"{name.removesuffix('.yaml')}: {path}: {values[0]} -> {values[1]}")
    return lines


def shorten(lines: Sequence[str]) -> list[str]:
    """Returns the first lines of a long list, and a line with the number of lines left out."""
    more = len(lines) - _MOST_LISTED
    return [*lines[:_MOST_LISTED], f"... and {more} more"] if more > 0 else list(lines)


def _constants(file: Path) -> Iterator[tuple[str, str]]:
    """Yields path and value of each constant in an architecture file, without units and sources."""
    try:
        root = read_yaml(file, "an architecture file")
    except InputError:  # the other side's is readable
        return
    for path, constant in constants_in(root):
        yield path, text_of(value_of(constant))
