"""Patterns of data movement that can be estimated, and the tests that have them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern.

    Attributes:
        test: name of the test that has it.
        about: description of one line.
        cores: parameter of the test that says how many cores take part; empty: their number is fixed.
        parameters: values of parameters that differ from the defaults of the test, or that it sweeps.
        bytes: bytes of a call, if not given.
    """

    test: str
    about: str
    cores: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    bytes: int = 2048

    def axes_of_cores(self, cores: str) -> dict[str, str]:
        """Returns the parameters for the cores that take part.

        Raises InputError if their number is fixed, or if `cores` is not of the form of the test.
        """
        if not self.cores:
            raise InputError(f"cores: expected none, since there are two or one in '{self.about}', found '{cores}'")
        if self.cores != _RECTANGLE:
            return {self.cores: cores}
        columns, _, rows = cores.partition("x")
        if not (columns.isdecimal() and rows.isdecimal() and int(columns) and int(rows)):
            raise InputError(f"cores: expected COLUMNSxROWS, such as 4x4, found '{cores}'")
        return {_RECTANGLE: f"0,0-{int(columns) - 1},{int(rows) - 1}"}


_GRID = "grid"
_RECTANGLE = "rectangle"
_WORD_BYTES = 4
_TOGETHER = {"start": "together"}

PATTERNS: dict[str, Pattern] = {
    "unicast": Pattern("One to One Packet Sizes", "a core writes to another core"),
    "read": Pattern("One from One Packet Sizes", "a core reads from another core"),
    "loopback": Pattern("Loopback Packet Sizes", "a core writes to itself"),
    "multicast": Pattern(
        "One to All Multicast 2x2 Packet Sizes without Loopback", "a core multicasts to a grid of cores", _GRID
    ),
    "linked_multicast": Pattern(
        "One to All Multicast Linked 2x2 Packet Sizes without Loopback", "the same, with linked multicasts", _GRID
    ),
    "signalled_multicast": Pattern(
        "One to All Multicast Linked Semaphore 2x2 Packet Sizes without Loopback",
        "linked multicasts, for each of which all receivers signal that they are ready",
        _GRID,
    ),
    "bidirectional": Pattern(
        "Core Bidirectional Packet Sizes Same Kernel", "a core writes to another core and reads from it"
    ),
    "read_after_write": Pattern(
        "Transaction ID - Read After Write 2.0", "a core writes to another core, and then reads from a third one"
    ),
    "scatter": Pattern(
        "One to All Unicast 2x2 Packet Sizes without Loopback", "a core writes to each core of a grid", _GRID
    ),
    "gather": Pattern("One from All Packet Sizes", "a core reads from each core of a grid", _RECTANGLE),
    "all_to_all": Pattern("All to All Packet Sizes", "each core of a grid writes to each", _GRID, _TOGETHER),
    "all_from_all": Pattern("All from All Packet Sizes", "each core of a grid reads from each", _GRID, _TOGETHER),
    "dram_read": Pattern("Multi Interleaved Read Sizes", "each core of a grid reads interleaved pages of DRAM", _GRID),
    "dram_write": Pattern(
        "Multi Interleaved Write Sizes", "each core of a grid writes interleaved pages of DRAM", _GRID
    ),
    "dram_read_write": Pattern(
        "Multi Interleaved Sizes", "each core of a grid reads interleaved pages of DRAM and writes them", _GRID
    ),
    "dram_pages": Pattern("DRAM Interleaved Page Numbers", "a core reads interleaved pages of DRAM and writes them"),
    "dram_bank": Pattern("DRAM Interleaved Packet Sizes", "a core reads from a bank of DRAM and writes to it"),
    "dram_sharded_read": Pattern(
        "Number of Pages Sweep for DRAM Closest Neighbour",
        "cores read from the bank of DRAM that they are next to",
        "cores",
    ),
    "pcie_read": Pattern("PCIe Read Bandwidth Sweep", "a core reads from the memory of the host"),
    "reshard": Pattern("Reshard Many", "cores read a tensor that other cores have", "cores"),
    "atomics": Pattern(
        "Atomic Semaphore Non-Adjacent Bandwidth Sweep",
        "a core increments a semaphore of another",
        parameters={"noc": "0", "increment": "1"},
        bytes=_WORD_BYTES,
    ),
    "small_words": Pattern(
        "Inline Direct Write Performance Comparison",
        "a core writes single words to another core",
        parameters={"stateful": "0", "posted": "0"},
        bytes=_WORD_BYTES,
    ),
}


def pattern_named(name: str) -> Pattern:
    """Returns a pattern. Raises InputError for an unknown name."""
    if name not in PATTERNS:
        raise InputError(
            f"pattern: expected one of {', '.join(PATTERNS)}, found '{name}'{did_you_mean(name, PATTERNS)}"
        )
    return PATTERNS[name]
