"""Conditions that select points for an entry of a policy: globs for names, and ranges of swept values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from nocbench.support.columns import COMPILER, without_values
from nocbench.support.errors import InputError
from nocbench.support.units import parse_size

if TYPE_CHECKING:
    from nocbench.points.yaml_files import Node, YamlFile
    from nocbench.support.columns import Row

NAMES = ("arch", "board", "primitive", "test", "kernel", "params")
REGIONS = ("num_transactions", "call_size_bytes", "transaction_size_bytes")
_REGION = "a number or size, or a range FIRST:LAST of which one end may be missing, such as 64B:4KiB"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions that must all hold. A row without a column fails the conditions on that column.

    Attributes:
        names: columns and their globs, which ignore case, and the compiler in `params`.
        regions: columns with their least and greatest value, both included.
    """

    names: tuple[tuple[str, str], ...] = ()
    regions: tuple[tuple[str, float, float], ...] = ()

    def hold(self, row: Row) -> bool:
        """Returns True if a row meets all conditions."""
        for column, glob in self.names:
            value = str(row.get(column, ""))
            if column == "params":
                value = without_values(value, (COMPILER,))
            if column not in row or not fnmatchcase(value.casefold(), glob.casefold()):
                return False
        return all(
            column in row and least <= float(row[column]) <= greatest for column, least, greatest in self.regions
        )


def read_conditions(file: YamlFile, node: Node | None, key: str) -> Conditions:
    """Returns the conditions in the mapping below `match:`."""
    if node is None:
        return Conditions()
    names: list[tuple[str, str]] = []
    regions: list[tuple[str, float, float]] = []
    for column, value in file.mapping(node, key, (*NAMES, *REGIONS)).items():
        if column in NAMES:
            names.append((column, file.text(value, f"{key}.{column}")))
        else:
            region = file.value(value, f"{key}.{column}", _REGION, _parse_region)
            if region is not None:
                regions.append((column, *region))
    return Conditions(tuple(names), tuple(regions))


def _parse_region(text: str) -> tuple[float, float]:
    first, colon, last = text.partition(":")
    least = parse_size(first) if first.strip() or not colon else 0
    greatest = (parse_size(last) if last.strip() else math.inf) if colon else least
    if least > greatest:
        raise InputError(f"'{text}' begins above its end")
    return least, greatest
