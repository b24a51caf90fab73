"""Names of columns of measurements: of nocbench, published tables, and CSV files of the tt-metal suite.

The suite writes a file per test. Its headings have spaces and units, and changed over time. Headings are compared by
words, without capitals and punctuation: "Bandwidth (bytes/cycle)" equals "bandwidth bytes cycle".
"""

from __future__ import annotations

import re

COMMON_HEADINGS: dict[str, tuple[str, ...]] = {
    "arch": ("arch", "architecture"),
    "test": ("test", "test name", "test case"),
    "kernel": ("kernel", "role"),
    "num_transactions": (
        *("num transactions", "number of transactions", "num of transactions", "number transactions"),
        *("transactions", "transaction count", "of transactions", "count"),
    ),
    "transaction_size_bytes": (
        *("transaction size bytes", "transaction size b", "transaction size", "size bytes", "size b", "size"),
    ),
    "latency_cycles": ("latency cycles", "latency", "duration cycles", "duration", "cycles"),
    "bandwidth_bytes_per_cycle": (
        *("bandwidth bytes per cycle", "bandwidth bytes cycle", "bandwidth b cycle", "bandwidth", "bytes cycle"),
        *("bandwidth b c", "b cycle", "b c", "bytes per cycle"),
    ),
}
"""Headings of the columns that all measurements have, by nocbench's name."""

RISC_HEADINGS: dict[str, tuple[str, ...]] = {
    "riscv": ("riscv", "risc v", "risc", "risc id", "processor", "riscv processor", "risc v processor"),
}
"""Headings of the column with the RISC that ran the kernel, which may replace the kernel."""

PARAMETER_HEADINGS: dict[str, tuple[str, ...]] = {
    "noc": ("noc", "noc id", "noc index", "noc number"),
    "vcs": ("vcs", "num vcs", "number of vcs", "num virtual channels", "number of virtual channels"),
    "grid": ("grid", "grid size", "grid dimensions"),
    "master_grid": ("master grid", "master grid size"),
    "subordinate_grid": ("subordinate grid", "subordinate grid size", "sub grid", "sub grid size"),
    "subordinates": ("subordinates", "num subordinates", "number of subordinates"),
    "num_cores": ("num cores", "number of cores", "cores"),
    "banks": ("banks", "num banks", "number of banks"),
    "increment": ("increment", "increment value", "atomic increment"),
    "posted": ("posted", "posted writes"),
    "stateful": ("stateful",),
    "same_destination": ("same destination", "same dest"),
    "same_value": ("same value",),
    "loopback": ("loopback",),
    "linked": ("linked",),
    "same_axis": ("same axis",),
    "scheme": ("scheme", "multicast scheme", "multicast scheme type"),
    "memory": ("memory", "memory type"),
    "mechanism": ("mechanism",),
    "pattern": ("pattern",),
    "injection_rate": ("injection rate",),
    "destination": ("destination",),
}
"""Headings of parameters, by nocbench's name, in the order of the column `params`."""

GRID_SIDES: dict[str, tuple[str, str]] = {
    "grid": ("grid size x", "grid size y"),
    "master_grid": ("master grid size x", "master grid size y"),
    "subordinate_grid": ("subordinate grid size x", "subordinate grid size y"),
}
"""Headings of the two sides of a grid, for files of the suite without a column for the grid."""

OTHER_BANDWIDTH_HEADINGS: dict[str, tuple[str, ...]] = {
    "combined_bandwidth_bytes_per_cycle": (
        *("combined bandwidth bytes per cycle", "combined bandwidth bytes cycle", "combined bandwidth"),
        *("total bandwidth bytes per cycle", "total bandwidth bytes cycle", "total bandwidth"),
    ),
    "gigabytes_per_second": ("gigabytes per second", "gb s", "bandwidth gb s", "bandwidth gigabytes per second"),
}
"""Headings of bandwidths in another unit or of all cores; the bandwidth of a core is then computed."""

_COLUMNS = {
    words: column
    for table in (COMMON_HEADINGS, RISC_HEADINGS, PARAMETER_HEADINGS, OTHER_BANDWIDTH_HEADINGS)
    for column, known in table.items()
    for words in known
}
_BRACKETS = re.compile(r"[(\[][^)\]]*[)\]]")
_SAME_WORDS = {"number of": "num", "dimensions": "size", "sub grid": "subordinate grid"}

_RISCS = {
    "0": 0, "risc 0": 0, "riscv 0": 0, "risc v 0": 0, "brisc": 0, "datamovement 0": 0,
    "1": 1, "risc 1": 1, "riscv 1": 1, "risc v 1": 1, "ncrisc": 1, "datamovement 1": 1,
}  # fmt: skip
_KERNELS = {"sender": "Sender", "writer": "Sender", "receiver": "Receiver", "reader": "Receiver"}
_KERNELS_OF_RISCS = ("Sender", "Receiver")  # names in the suite, even if the kernel on RISC 0 reads
_ARCHITECTURES = {"wormhole": "wormhole_b0"}
_TRUTH = {"true": "1", "yes": "1", "false": "0", "no": "0"}
_GRID = re.compile(r"(\d+)\s*[x\u00d7]\s*(\d+)")
_NOC = re.compile(r"noc[\s_-]*(\d)")


def words_of(text: str) -> str:
    """Returns the words of a text, without capitals and punctuation."""
    return " ".join(re.findall(r"[a-z0-9]+", text.casefold().replace("_", " ")))


def column_called(heading: str) -> str | None:
    """Returns the column that a heading names, or None.

    In headings of parameters, text in brackets is ignored; in those of measured values, it is the unit.
    """
    return _COLUMNS.get(words_of(heading)) or _LOOSE_COLUMNS.get(_loose(heading))


def _loose(heading: str) -> str:
    words = words_of(_BRACKETS.sub(" ", heading))
    for others, same in _SAME_WORDS.items():
        words = words.replace(others, same)
    return words


_LOOSE_COLUMNS = {
    _loose(words): column
    for table in (RISC_HEADINGS, PARAMETER_HEADINGS)
    for column, known in table.items()
    for words in known
}


def architecture_in(text: str) -> str:
    """Returns nocbench's name of an architecture: "wormhole_b0" for "Wormhole B0"."""
    name = "_".join(words_of(text).split())
    return _ARCHITECTURES.get(name, name)


def kernel_in(text: str) -> str | None:
    """Returns the kernel that a text names, such as "Sender" or "reader kernel"; None for other texts."""
    return _KERNELS.get(words_of(text).removesuffix(" kernel"))


def riscv_in(text: str) -> int | None:
    """Returns the number of the RISC that a text names, such as "riscv_1" or "NCRISC"; None for other texts."""
    return _RISCS.get(words_of(text).removesuffix(" kernel"))


def kernel_of_riscv(riscv: int) -> str:
    """Returns the suite's name for the kernel of a RISC, which the suite also uses for kernels of RISC 0 that read."""
    return _KERNELS_OF_RISCS[riscv]


def plain_value(text: object) -> str:
    """Returns the normal form of a parameter's value: "0" for "NOC_0", "8x8" for "8 x 8", "1" for "True"."""
    value = str(text).strip().casefold()
    if grid := _GRID.fullmatch(value):
        return f"{int(grid[1])}x{int(grid[2])}"
    if noc := _NOC.fullmatch(value):
        return noc[1]
    if value in _TRUTH:
        return _TRUTH[value]
    try:
        # Python reads "1_0" as a number, but a value with "_" between words is none.
        number = float(value.replace("_", " "))
    except ValueError:
        return "_".join(words_of(value).split()) or value
    return str(int(number)) if number.is_integer() else value


def text_of(cell: object) -> str:
    """Returns a cell of a file or a data frame as text; empty if it is missing."""
    try:
        is_missing = cell is None or bool(cell != cell)  # NaN differs from itself
    except TypeError:  # pandas.NA has no truth value
        is_missing = True
    if is_missing:
        return ""
    # A column of integers with missing values contains floats.
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()
