"""Conversion of measured rows to columns of results.

Files of results have the columns of :mod:`nocbench.support.columns`, and need no conversion. Files of measurements have
another origin, such as the tt-metal suite:

- Headings differ: see :mod:`nocbench.results.headings`.
- Files of the suite have no columns for test and architecture; the path gives both.
- Tests have the suite's names, which are replaced by nocbench's names.
- Each parameter has a column of its own. These columns are combined into the column `params`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nocbench.architectures.description import describe_architecture
from nocbench.architectures.files import architecture_names
from nocbench.results.headings import (
    GRID_SIDES,
    OTHER_BANDWIDTH_HEADINGS,
    PARAMETER_HEADINGS,
    architecture_in,
    column_called,
    kernel_of_riscv,
    plain_value,
    riscv_in,
    text_of,
    words_of,
)
from nocbench.results.upstream_tests import WHOLE_GRID, test_names, upstream_test
from nocbench.support.columns import (
    ALL_COLUMNS,
    ALL_CORES,
    COMMON_COLUMNS,
    UNKNOWN_VALUES,
    changed_values,
    params_of,
)
from nocbench.support.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_NAMES = [column.name for column in ALL_COLUMNS]
_COMMON_NAMES = [column.name for column in COMMON_COLUMNS]
_RISCV = "riscv"
_PARAMS = "params"
_LOOPBACK = "loopback"
_GRIDS_OF_RECEIVERS = ("subordinate_grid", "grid")
_BANDWIDTH = "bandwidth_bytes_per_cycle"
_COMBINED = "combined_bandwidth_bytes_per_cycle"


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of a file's columns.

    Attributes:
        columns: possible columns of rows, in the order of results.
        positions: positions in a record, by column.
        headings: headings in the file, by column.
        are_results: True for results of nocbench, which are not converted.
        context: values of columns that the path of the file gives: architecture and test.
        parameters: columns of parameters, in the order of `params`.
        has_other_bandwidth: True if the file has a bandwidth in another unit, or of all cores, instead of that of a
            core.
        grid_sides: positions of the two sides, by parameter that is a grid, in a file without columns of grids.
    """

    columns: tuple[str, ...]
    positions: Mapping[str, int]
    headings: Mapping[str, str]
    are_results: bool
    context: Mapping[str, str] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    has_other_bandwidth: bool = False
    grid_sides: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def cells(self, record: Sequence[Any]) -> tuple[dict[str, Any], list[str]]:
        """Returns the cells of a record by column, and complaints about cells that cannot be converted.

        Measured rows may lack `riscv`, `params` and the bandwidth.
        """
        if self.are_results:
            in_file = {name: record[place] for name, place in self.positions.items()}
            return {name: in_file.get(name, UNKNOWN_VALUES.get(name)) for name in self.columns}, []
        return _MeasuredRow(self, record).cells()

    def in_file(self, column: str) -> str:
        """Returns a column's heading in the file, for complaints."""
        return self.headings.get(column, column)


def layout_of(path: Path, header: Sequence[str], where_header: str) -> Layout:
    """Returns the layout of a file's columns.

    Args:
        path: path of the file, whose name and folders may name a test and an architecture.
        header: headings of the file.
        where_header: beginning of complaints about headings.

    Raises:
        InputError: missing or repeated columns.
    """
    mistakes = [
        f"{where_header}: column '{name}' is there twice" for name in sorted(set(header)) if header.count(name) > 1
    ]
    are_results = "revision" in header
    positions = {name: position for position, name in enumerate(header) if name in _NAMES}
    if not are_results:
        mistakes += _add_known_headings(positions, header, where_header)
    has_other_bandwidth = any(name in positions for name in OTHER_BANDWIDTH_HEADINGS)
    context = {} if are_results else _context_of(path, positions)
    for name in _COMMON_NAMES:
        is_known = name in positions or name in context
        is_known = is_known or (not are_results and name == "kernel" and _RISCV in positions)
        if not is_known and not (name == _BANDWIDTH and has_other_bandwidth):
            mistakes.append(f"{where_header}: there is no column '{name}'{_hint(path, name, header)}")
    if mistakes:
        raise InputError("\n".join(mistakes))
    # Rows with the column `params` have already been converted.
    is_translated = are_results or _PARAMS in positions
    parameters = () if is_translated else tuple(name for name in PARAMETER_HEADINGS if name in positions)
    names = {*positions, *_COMMON_NAMES} | (set(UNKNOWN_VALUES) if are_results else {_PARAMS})
    if _COMBINED in positions and not is_translated:
        names.add(ALL_CORES)
    columns = tuple(name for name in _NAMES if name in names and name not in parameters)
    sides = {} if is_translated else _grid_sides(positions, header)
    headings = {name: header[position] for name, position in positions.items()}
    return Layout(columns, positions, headings, are_results, context, parameters, has_other_bandwidth, sides)


def _add_known_headings(positions: dict[str, int], header: Sequence[str], where_header: str) -> list[str]:
    """Adds columns that have other headings.

    A heading equal to a results column keeps its meaning. Returns complaints.
    """
    found: dict[str, list[int]] = {}
    for position, heading in enumerate(header):
        column = column_called(heading)
        if column is not None and column not in positions:
            found.setdefault(column, []).append(position)
    mistakes = []
    for column, places in found.items():
        if len(places) > 1:
            names = " and ".join(f"'{header[place]}'" for place in places)
            mistakes.append(f"{where_header}: expected one column that says {column}, found {names}")
        positions[column] = places[0]
    return mistakes


def _grid_sides(positions: Mapping[str, int], header: Sequence[str]) -> dict[str, tuple[int, int]]:
    if any(grid in positions for grid in GRID_SIDES):
        return {}
    places = {words_of(heading): place for place, heading in enumerate(header)}
    return {grid: (places[x], places[y]) for grid, (x, y) in GRID_SIDES.items() if x in places and y in places}


def _context_of(path: Path, positions: Mapping[str, int]) -> dict[str, str]:
    """Returns architecture and test from the path, as the suite names files, if the file has no such columns."""
    context = {}
    if "arch" not in positions:
        known = set(architecture_names())
        folders = (architecture_in(folder.name) for folder in path.absolute().parents)
        arch = next((name for name in folders if name in known), None)
        if arch is not None:
            context["arch"] = arch
    if "test" not in positions:
        words = words_of(path.stem)
        test = next((name for name in test_names() if words == words_of(name)), None)
        if test is not None:
            context["test"] = test
    return context


def _hint(path: Path, name: str, header: Sequence[str]) -> str:
    """Returns a hint for a missing column: a similar heading, or another source of the value."""
    if name == "arch":
        return ", and no folder of the file has the name of an architecture"
    if name == "test":
        return f", and no test is called '{path.stem}'{did_you_mean(path.stem, test_names())}"
    return did_you_mean(name, header)


class _MeasuredRow:
    def __init__(self, layout: Layout, record: Sequence[Any]) -> None:
        self._layout = layout
        self._record = record
        self._complaints: list[str] = []

    def cells(self) -> tuple[dict[str, Any], list[str]]:
        layout = self._layout
        cells: dict[str, Any] = {
            name: self._record[position]
            for name, position in layout.positions.items()
            if name in _NAMES and name not in layout.parameters
        }
        cells |= layout.context
        cells["arch"] = architecture_in(text_of(cells["arch"]))
        self._name_kernel(cells)
        self._name_test(cells)
        if not text_of(cells.get(_BANDWIDTH)) and layout.has_other_bandwidth:
            cells.pop(_BANDWIDTH, None)
        if ALL_CORES in layout.columns and ALL_CORES not in layout.positions:
            # The suite sums up the bytes of all cores over the time from the first start to the last end.
            is_of_all = text_of(self._record[layout.positions[_COMBINED]])
            cells[ALL_CORES] = cells["latency_cycles"] if is_of_all else UNKNOWN_VALUES[ALL_CORES]
        return cells, self._complaints

    def _name_kernel(self, cells: dict[str, Any]) -> None:
        """Sets the kernel, from its name or from the RISC that ran it."""
        kernel, risc = (text_of(cells.pop(name, None)) for name in ("kernel", _RISCV))
        if risc:
            riscv = riscv_in(risc)
            if riscv is None:
                self._complain(_RISCV, f"expected a RISC, such as riscv_0 or NCRISC, found '{risc}'")
                kernel = kernel or risc
        else:
            riscv = riscv_in(kernel)
        if riscv is not None:
            cells[_RISCV] = riscv
            kernel = kernel if kernel and riscv_in(kernel) is None else kernel_of_riscv(riscv)
        cells["kernel"] = kernel

    def _name_test(self, cells: dict[str, Any]) -> None:
        """Sets nocbench's name of the test, and the parameters of the row and of the suite's test."""
        layout = self._layout
        written = text_of(cells.get(_PARAMS))
        params = changed_values(written)
        for parameter in layout.parameters:
            value = text_of(self._record[layout.positions[parameter]])
            if value:
                params[parameter] = plain_value(value)
                if ";" in value or "=" in value:
                    self._complain(parameter, f"expected a value without ; and =, found '{value}'")
        for parameter, places in layout.grid_sides.items():
            sides = [text_of(self._record[place]) for place in places]
            if all(sides):
                params[parameter] = plain_value("x".join(sides))
        name = text_of(cells["test"])
        try:
            upstream = upstream_test(name, params.get(_LOOPBACK), _grid_of_receivers(str(cells["arch"]), params))
        except ValueError as error:
            self._complain("test", f"'{name}' is several tests: {error}")
            upstream = None
        if upstream is not None:
            if upstream.upstream_name != name:  # the suite's name implies the parameters
                for parameter in (_LOOPBACK, *(_GRIDS_OF_RECEIVERS if upstream.grid else ())):
                    params.pop(parameter, None)
            cells["test"] = upstream.test or name
            for parameter, value in changed_values(upstream.params).items():
                is_cell = value.startswith("{")
                params.setdefault(parameter, plain_value(cells[value.strip("{}")]) if is_cell else value)
        cells[_PARAMS] = written if params == changed_values(written) else params_of(params)

    def _complain(self, column: str, what: str) -> None:
        self._complaints.append(f"{self._layout.in_file(column)}: {what}")


def _grid_of_receivers(arch: str, params: Mapping[str, str]) -> str | None:
    """Returns the grid of a row's receivers as in names of tests; None if the row names none."""
    grid = next((params[name] for name in _GRIDS_OF_RECEIVERS if name in params), None)
    if grid is None or arch not in architecture_names():
        return grid
    boards = describe_architecture(arch).boards.values()
    is_whole = any(grid == f"{board.get('compute_columns')}x{board.get('compute_rows')}" for board in boards)
    return WHOLE_GRID if is_whole else grid
