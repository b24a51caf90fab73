"""Parameters of the one-to-all tests, read from their published names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self

if TYPE_CHECKING:
    from nocbench.pages.sections import Section

_NAME = re.compile(
    r"One to All (?P<cast>Unicast|Multicast|Multicast Linked) (?P<grid>\d+x\d+) Packet Sizes "
    r"(?P<loopback>with|without) Loopback"
)
SMALLEST_GRID = "2x2"
# Grids by the size in published names, if different.
_GRIDS = {"4x4": "5x5", "10x10": "whole", "11x10": "whole"}
_TRUE = ("1", "true", "yes", "on")


@dataclass(frozen=True, slots=True)
class OneToAllTest:
    """A way of writing from one core to a grid of cores.

    Attributes:
        cast: "unicast", a call per core, or "multicast", one call for all cores.
        linked: True if the multicasts of a run form a chain that reserves its path once.
        grid: "2x2", "5x5" or "whole" (all compute cores).
        loopback: True if the source is one of the receivers.
    """

    cast: Literal["unicast", "multicast"]
    linked: bool
    grid: str
    loopback: bool

    @classmethod
    def of(cls, section: Section) -> Self | None:
        """Returns the test of a section, from its name and overriding parameters; None for other tests."""
        match = _NAME.fullmatch(section.test)
        if match is None:
            return None
        changed = section.changed
        linked = changed.get("linked", "true" if match["cast"] == "Multicast Linked" else "false")
        loopback = changed.get("loopback", "true" if match["loopback"] == "with" else "false")
        return cls(
            cast="unicast" if match["cast"] == "Unicast" else "multicast",
            linked=linked.lower() in _TRUE,
            grid=_GRIDS.get(match["grid"], match["grid"]),
            loopback=loopback.lower() in _TRUE,
        )
