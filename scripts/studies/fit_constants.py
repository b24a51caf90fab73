#!/usr/bin/env python3
r"""Repeats the fits of constants to the published rows that they name in their `fitted_rows`.

With names of constants: each one takes several values while all others stay as they are. A line per value has the
errors of the rows that the constant names: the mean, in which an error counts as 8 % at most, so that single outliers
of the measurements do not pull at the constant, then median, 90th percentile and maximum. Beside them stand median and
90th percentile of rows that it does not name. The best value has the least mean. Values within 0.1 % of it are as good:
the measurements do not tell them apart; of documents, whose figures have two or three digits, within 1 %.

Of each table, 24 of the rows that are named count, those that move at most 2 MiB if there are such, and 2 of the
others, which move at most 256 KiB. They are spread evenly. Tables that are no points of tests count as a whole.

Without names: stage by stage, the constants of a stage are moved up and down by ever smaller steps as long as the mean
over all rows that they name shrinks. Nothing is random: the same tables give the same constants.

Exit status: 0 if the values of the file are the best ones, or as good as these; 1 if not; 2 bad usage.

Examples:
    .venv/bin/python scripts/studies/fit_constants.py --arch blackhole l1.write_latency_cycles
    .venv/bin/python scripts/studies/fit_constants.py --arch wormhole_b0 "niu.source_cycles_per_data_flit[1]" \\
        router.credit_return_cycles=1,4,6,7,8,10 "boards.n150.harvested_rows=[1],[2],[3]"
    .venv/bin/python scripts/studies/fit_constants.py --arch wormhole_b0 --write
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy

from nocbench.architectures.description import describe_architecture
from nocbench.architectures.files import architecture_names
from nocbench.points.constants import constants_in, entries_of, file_of, text_of
from nocbench.points.point import Point
from nocbench.points.selection import select_points
from nocbench.points.simulation import SHORTEN_FROM_FLIT_HOPS
from nocbench.points.swept_tests import list_tests
from nocbench.points.yaml_files import read_yaml
from nocbench.published import latch_unit, published_cells, shmem_numbers
from nocbench.published.accuracy_tables import match, with_variants
from nocbench.published.documents import compared_documents
from nocbench.published.fitted_rows import constants_of_points, constants_of_rows, read_table
from nocbench.published.reference import IS_FITTED, read_reference
from nocbench.published.transfers import HOST_TESTS, SIZE_TESTS, Transfer, transfers_of
from nocbench.results.kept_results import kept_results_file, key_of_point, key_of_row
from nocbench.results.result_files import read_results, to_frame
from nocbench.support.columns import POINT_KEY, changed_values, point_key, settings_in, without_values
from nocbench.support.errors import InputError, NocbenchError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType

    import pandas

    from nocbench.support.columns import Row

STUDIES = Path(__file__).resolve().parent
OWN_NAME = f"scripts/studies/{Path(__file__).name}"
OUTLIER_PERCENT = 8.0
AS_GOOD_PERCENT = 0.1
DIGITS_PERCENT = 1.0
NAMED_ROWS_MAX, NAMED_BYTES_MAX = 24, 2 << 20
OTHER_ROWS_MAX, OTHER_BYTES_MAX = 2, 256 << 10
"""Limits per table. Long points of many cores take long and give no further information."""


class Step(NamedTuple):
    """A constant of a stage: name, first step, and last step."""

    name: str
    first: str
    last: str


STAGES = (
    (Step("niu.source_cycles_per_data_flit[0]", "0.002", "0.0005"),),
    (Step("niu.source_cycles_per_data_flit[1]", "0.004", "0.0005"),),
    (Step("l1.write_latency_cycles", "2", "1"),),
    (Step("niu.read_turnaround_cycles", "2", "1"),),
    (
        Step("risc.write_first_repeat_cycles", "2", "0.5"),
        Step("risc.write_new_target_cycles", "2", "0.5"),
        Step("risc.first_argument_load_cycles", "2", "1"),
    ),
    (
        Step("risc.read_first_repeat_cycles", "2", "0.5"),
        Step("risc.read_new_target_cycles", "2", "0.5"),
        Step("niu.sink_cycles_per_data_flit[1]", "0.004", "0.001"),
    ),
    (Step("niu.multicast_sink_cycles_per_data_flit[0]", "0.004", "0.001"),),
    *(
        (
            Step(f"memories.{memory}.{operation}_latency_cycles", "4", "1"),
            Step(f"memories.{memory}.subchannel_{operation}_cycles_per_flit", "0.02", "0.005"),
            Step(f"memories.{memory}.bank_{operation}_cycles_per_flit", "0.02", "0.005"),
            *buffers,
        )
        for memory in ("gddr6", "gddr6_july_2025", "gddr6_2026")
        for operation in ("read", "write")
        for buffers in [[Step(f"dram.{operation}_buffer_bytes", "1024", "256")] if memory == "gddr6_july_2025" else []]
    ),
    (Step("pcie.read_request_interval_cycles", "4", "1"),),
    (Step("dram.partial_write_cycles", "1", "0.5"),),
)
STARTS = {
    "wormhole_b0": {
        "niu.source_cycles_per_data_flit[0]": "1.02",
        "niu.source_cycles_per_data_flit[1]": "1.108",
        "l1.write_latency_cycles": "20",
        "niu.read_turnaround_cycles": "4",
        "risc.write_first_repeat_cycles": "6",
        "risc.write_new_target_cycles": "11",
        "risc.first_argument_load_cycles": "22",
        "risc.read_first_repeat_cycles": "10",
        "risc.read_new_target_cycles": "2",
        "niu.sink_cycles_per_data_flit[1]": "1.02",
        "niu.multicast_sink_cycles_per_data_flit[0]": "1.03",
        "memories.gddr6.read_latency_cycles": "93",
        "memories.gddr6.write_latency_cycles": "107",
        "memories.gddr6.subchannel_read_cycles_per_flit": "1.435",
        "memories.gddr6.subchannel_write_cycles_per_flit": "1.4545",
        "pcie.read_request_interval_cycles": "140",
        "dram.partial_write_cycles": "62",
    },
    "blackhole": {
        "niu.source_cycles_per_data_flit[0]": "1.0165",
        "niu.source_cycles_per_data_flit[1]": "1.03",
        "l1.write_latency_cycles": "20",
        "niu.read_turnaround_cycles": "4",
        "risc.write_first_repeat_cycles": "9",
        "risc.write_new_target_cycles": "6",
        "risc.first_argument_load_cycles": "22",
        "risc.read_first_repeat_cycles": "6",
        "risc.read_new_target_cycles": "2",
        "niu.sink_cycles_per_data_flit[1]": "1.02",
        "niu.multicast_sink_cycles_per_data_flit[0]": "1.03",
        "memories.gddr6_july_2025.read_latency_cycles": "111",
        "memories.gddr6_july_2025.write_latency_cycles": "30",
        "memories.gddr6_july_2025.subchannel_read_cycles_per_flit": "2.7",
        "memories.gddr6_july_2025.subchannel_write_cycles_per_flit": "2.7",
        "memories.gddr6_july_2025.bank_read_cycles_per_flit": "2.985",
        "memories.gddr6_july_2025.bank_write_cycles_per_flit": "2.985",
        "memories.gddr6_2026.subchannel_read_cycles_per_flit": "1.35",
        "memories.gddr6_2026.subchannel_write_cycles_per_flit": "1.35",
        "memories.gddr6_2026.bank_read_cycles_per_flit": "1.5",
        "memories.gddr6_2026.bank_write_cycles_per_flit": "1.5",
        "dram.read_buffer_bytes": "10240",
        "dram.write_buffer_bytes": "8704",
        "pcie.read_request_interval_cycles": "140",
    },
}
"""Starting values of a fit in stages, independent of the architecture file, so that fits are reproducible."""


@dataclass(frozen=True)
class Constant:
    """A constant of an architecture file, or a number in a list that is a constant.

    Attributes:
        path: path in the file: "boards.n150.launch_skew_cycles".
        index: index of the number in the list; None for the whole constant.
        text, unit: value and unit in the file.
        words: texts on source and fit in the file.
    """

    path: str
    index: int | None
    text: str
    unit: str
    words: str

    @property
    def name(self) -> str:
        """Name of the constant on the command line."""
        return self.path if self.index is None else f"{self.path}[{self.index}]"

    @property
    def board(self) -> str:
        """Board of the constant; empty for constants of the architecture."""
        return self.path.split(".")[1] if self.path.startswith("boards.") else ""

    @property
    def setting(self) -> str:
        """Name of the constant for `--set`."""
        return f"board.{self.path.split('.', 2)[2]}" if self.board else self.path

    @property
    def value(self) -> str:
        """Value of the constant in the file."""
        return self.text if self.index is None else self._numbers()[self.index]

    def with_value(self, value: str) -> str:
        """Returns the text of the constant with another value."""
        if self.index is None:
            return value
        numbers = self._numbers()
        numbers[self.index] = value
        return f"[{', '.join(numbers)}]"

    def values_around(self) -> list[str]:
        """Returns the default values to try.

        For a size, they are a quarter to four times the value. For a list of coordinates, all coordinates are moved by
        one or two. For any other number, they are up to eight steps away. A step is a sixteenth of a whole number or
        half a percent of a fraction, and at least half a cycle for cycles.

        Raises:
            InputError: another kind of constant, whose values the user has to name.
        """
        if self.index is None and self.text.startswith("["):
            if self.unit != "coordinate" or not re.fullmatch(r"\[[\d, ]+\]", self.text):
                raise InputError(
                    f"{self.name}: expected values to try, such as {self.name}={self.text},..., found none"
                )
            return [str([int(number) + offset for number in self._numbers()]) for offset in (-2, -1, 0, 1, 2)]
        value = Decimal(self.value)
        if self.unit == "bytes":
            found = [value * factor for factor in (Decimal("0.25"), Decimal("0.5"), 1, 2, 4)]
        else:
            step = Decimal(max(1, int(value) // 16)) if value == int(value) else round(value / 200, 4)
            if self.unit == "cycles":
                step = max(step, Decimal("0.5"))
            found = [value + step * steps for steps in (-8, -4, -2, -1, 0, 1, 2, 4, 8)]
        return [plain(one) for one in found if one >= 0]

    def _numbers(self) -> list[str]:
        return [number.strip() for number in self.text.strip("[]").split(",")]


@dataclass(frozen=True)
class Combined:
    """A published figure, or range, that is a weighted sum of latencies.

    Attributes:
        constants: constants that list the figure's row.
        lowest, highest: ends of the range, in cycles.
        terms: factors and points of the sum.
    """

    constants: tuple[str, ...]
    lowest: float
    highest: float
    terms: tuple[tuple[float, Point], ...]

    def error_percent(self, latencies: Mapping[Point, float]) -> float:
        """Returns the model's relative error in percent, against the nearer end of the range."""
        model = sum(factor * latencies[point] for factor, point in self.terms)
        nearest = min(max(model, self.lowest), self.highest)
        return 100 * abs(model / nearest - 1)


@dataclass(frozen=True)
class Errors:
    """Absolute errors of published rows, in percent.

    Attributes:
        named: errors of the rows that constants list.
        others: errors of all other rows.
    """

    named: list[float]
    others: list[float]

    @property
    def mean(self) -> float:
        """Mean error of the listed rows, with outliers capped."""
        return statistics.mean(min(error, OUTLIER_PERCENT) for error in self.named)


def plain(number: Decimal) -> str:
    """Returns a number as text, without exponent and trailing zeros."""
    return f"{number.normalize():f}"


@cache
def constants_of(arch: str) -> dict[str, Constant]:
    """Returns the constants of an architecture file by path."""
    root = read_yaml(file_of(arch), "an architecture file")
    entries = {path: entries_of(node) for path, node in constants_in(root) if node["kind"] == "mapping"}
    return {
        path: Constant(
            path,
            None,
            text_of(entry["value"]),
            text_of(entry["unit"]),
            " ".join(text_of(entry[key]) for key in ("source", "fitted_to") if key in entry),
        )
        for path, entry in entries.items()
    }


def find_constant(arch: str, name: str) -> Constant:
    """Returns a constant by its name on the command line.

    Raises:
        InputError: no such constant, or no such number in it.
    """
    path, _, index = name.rstrip("]").partition("[")
    known = constants_of(arch)
    if path not in known:
        raise InputError(f"{arch} has no constant '{path}'{did_you_mean(path, known)}")
    if not index:
        return known[path]
    constant = replace(known[path], index=int(index)) if index.isdecimal() else None
    if constant is None or not constant.text.startswith("[") or constant.text.count(",") < int(index):
        raise InputError(f"{name}: expected the place of a number in {known[path].text}, found [{index}]")
    return constant


def numbers_of(constant: Constant) -> list[Constant]:
    """Returns the numbers of a constant with a value per NoC; otherwise, the constant itself."""
    if constant.index is not None or constant.unit == "coordinate" or constant.text.count(",") != 1:
        return [constant]
    return [replace(constant, index=index) for index in (0, 1)]


@cache
def is_field_of(arch: str, board: str, setting: str, text: str) -> bool:
    """Returns True if a board has a field; memories and hosts of other boards are no fields of it."""
    try:
        describe_architecture(arch, board, ((setting, text),))
    except InputError:
        return False
    return True


class Figures:
    """Published rows of an architecture, with the points of the model to compare.

    The kept results give the point of each row.
    """

    def __init__(self, arch: str, constants: Sequence[Constant], *, is_sample: bool) -> None:
        """Chooses the published rows to compare.

        Args:
            arch: architecture.
            constants: constants that list rows.
            is_sample: True to choose a sample of each table, including rows that the constants do not list.

        Raises:
            InputError: the constants list no row of the tables that this script handles.
        """
        self._arch = arch
        of_boards = {constant.board for constant in constants}
        paths = {constant.path for constant in constants}
        self._published: dict[tuple[object, ...], tuple[float, bool]] = {}
        self._points: list[tuple[Point, str]] = []
        self._named_documents = frozenset(
            name for names in _documents(arch).values() for name, of_row in names.items() if paths & set(of_row)
        )
        self._combined = [figure for figure in combined_figures(arch) if paths & set(figure.constants)]
        self._boards: set[str] = of_boards
        self._choose_rows(paths, is_sample=is_sample)
        if self.num_named == 0:  # the figures are of another, similar board
            self._boards = {""}
            self._choose_rows(paths, is_sample=is_sample)
        if self.num_named == 0:
            names = ", ".join(constant.name for constant in constants)
            raise InputError(f"{names}: expected fitted_rows of a table that this script knows, found none")

    def _choose_rows(self, paths: set[str], *, is_sample: bool) -> None:
        kept, reference = _kept_results(self._arch), _reference(self._arch)
        points_of = constants_of_points(self._arch)
        columns = reference[[*POINT_KEY[1:], "params"]].itertuples(index=False, name=None)
        reference[IS_FITTED] = [
            any(paths & set(points_of.get((*point, named), ())) for named in (params, "")) for *point, params in columns
        ]
        chosen: list[Row] = kept[self._are_of_documents(kept)].to_dict("records")  # type: ignore[assignment]
        for test, published in reference.groupby("test", sort=False):
            rows = kept[kept["test"] == test]
            if not rows.empty and (is_sample or published[IS_FITTED].any()):
                matched = match(rows, published)
                for _, table in matched[matched["reference_latency_cycles"].notna()].groupby("kernel", sort=False):
                    of_table = list(self._chosen(table.to_dict("records"), is_sample=is_sample))
                    self._published |= {
                        point_key(row): (float(row["reference_latency_cycles"]), row[IS_FITTED]) for row in of_table
                    }
                    chosen += of_table
        boards = {key_of_row(row): row["board"] for row in chosen}
        points = select_points([], architectures=[self._arch]) if boards else []
        self._points = [(point, boards[key]) for point in points if (key := key_of_point(point)) in boards]

    def _are_of_documents(self, kept: pandas.DataFrame) -> pandas.Series[bool]:
        """Returns a mask of the kept results that are compared with figures in documents, if constants list these."""
        named = {module for module, names in _documents(self._arch).items() if self._named_documents & set(names)}
        tests = {test for module in named for _, test in module.published_tests()}
        if published_cells in named:
            cells = [cell for cell in published_cells.read_cells() if cell.name in self._named_documents]
            transfers = transfers_of(kept.assign(settings=""))
            columns = transfers[list(Transfer._fields)].itertuples(index=False, name=None)
            about = {tuple(cell.transfer) for cell in cells}
            others = kept["test"].isin(tests - {*SIZE_TESTS, *HOST_TESTS})
            return others | kept.index.isin(transfers.index[[transfer in about for transfer in columns]])
        return kept["test"].isin(tests)

    def _chosen(self, rows: Sequence[Row], *, is_sample: bool) -> Iterator[Row]:
        named = [row for row in rows if row[IS_FITTED] and self._boards & {"", row["board"]}]
        if not is_sample:
            yield from named
            return
        short = [row for row in named if _moved_bytes(row) <= NAMED_BYTES_MAX]
        yield from _spread(short or named, NAMED_ROWS_MAX)
        others = [row for row in rows if not row[IS_FITTED] and _moved_bytes(row) <= OTHER_BYTES_MAX]
        yield from _spread(others, OTHER_ROWS_MAX)

    @property
    def num_named(self) -> int:
        """Number of listed rows."""
        of_points = sum(is_named for _, is_named in self._published.values())
        return of_points + len(self._named_documents) + len(self._combined)

    @property
    def tolerance_percent(self) -> float:
        """Difference in percent below which two means count as equal; figures in documents have two or three digits."""
        return DIGITS_PERCENT if self._named_documents else AS_GOOD_PERCENT

    def errors(self, texts: Mapping[str, str], pool: ProcessPoolExecutor) -> Errors:
        """Returns the errors with changed constants, given as texts by path.

        Raises:
            InputError: the model refuses a value.
        """
        constants = [replace(constants_of(self._arch)[path], text=text) for path, text in texts.items()]
        points = [replace(point, settings=self._settings(board, constants)) for point, board in self._points]
        rows = [row for of_point in pool.map(_rows_of, points, chunksize=4) for row in of_point]
        errors: dict[bool, list[float]] = {True: [], False: []}
        for row in rows:
            if (key := point_key(row)) in self._published:
                published, is_named = self._published[key]
                errors[is_named].append(100 * abs(row["latency_cycles"] / published - 1))
        for table in compared_documents(to_frame(rows)) if self._named_documents else ():
            for compared in table.rows:
                errors[compared.name in self._named_documents].append(compared.error_percent)
        combined = list(dict.fromkeys(point for figure in self._combined for _, point in figure.terms))
        changed = [replace(point, settings=self._settings(point.board, constants)) for point in combined]
        found = (of_point[0]["latency_cycles"] for of_point in pool.map(_rows_of, changed))
        latencies = dict(zip(combined, found, strict=True))
        errors[True] += [figure.error_percent(latencies) for figure in self._combined]
        return Errors(errors[True], errors[False])

    def _settings(self, board: str, constants: Sequence[Constant]) -> tuple[tuple[str, str], ...]:
        return tuple(
            (constant.setting, constant.text)
            for constant in constants
            if (constant.board in ("", board) or "" in self._boards)
            and is_field_of(self._arch, board, constant.setting, constants_of(self._arch)[constant.path].text)
        )


def _documents(arch: str) -> dict[ModuleType, dict[str, tuple[str, ...]]]:
    """Returns tables that are no points of tests, by module: the constants that list each row."""
    numbers = [row["number"] for row in read_table("openshmem/paper_2016.csv")]
    tables: dict[ModuleType, dict[str, tuple[str, ...]]] = {
        published_cells: {cell.name: cell.constants for cell in published_cells.read_cells() if not cell.is_footnote},
        shmem_numbers: dict(
            zip(numbers, constants_of_rows(shmem_numbers.ARCHITECTURE, "openshmem/paper_2016.csv"), strict=True)
        ),
        latch_unit: {row.name: row.constants for row in latch_unit.latch_rows()},
    }
    return {module: names for module, names in tables.items() if arch == module.ARCHITECTURE}


@cache
def _kept_results(arch: str) -> pandas.DataFrame:
    kept = with_variants(read_results(kept_results_file()))
    return kept[kept["arch"] == arch]


@cache
def _reference(arch: str) -> pandas.DataFrame:
    reference = read_reference()
    return reference[reference["arch"] == arch].copy()


@cache
def combined_figures(arch: str) -> tuple[Combined, ...]:
    """Returns the published figures that are weighted sums of latencies: of calls, and of single sizes on Epiphany.

    The set-up time of a stateful call is the difference to a plain call, averaged over some small sizes. The interval
    of calls is the slope of latency over the number of calls.
    """

    def point(test: str, count: int, size: int, **parameters: str) -> Point:
        axes = {"num_transactions": str(count), "call_size": str(size)}
        return Point(arch, boards[test], test, tuple((axes | parameters).items()))

    def terms(row: Mapping[str, str]) -> list[tuple[float, Point]]:
        if "quantity" not in row:
            executor = row["executor"] + "_descending" * (row["addresses"] == "descending")
            test = f"External Memory {row['direction'].capitalize()} Sizes"
            return [(1, point(test, 1, int(row["size_bytes"]), executor=executor, state=row["state"]))]
        if row["quantity"].endswith("interval"):
            stateful = {"stateful": "1"} if row["quantity"].startswith("stateful") else {}
            return [(sign / 192, point(row["test"], count, 64, **stateful)) for sign, count in ((1, 256), (-1, 64))]
        sizes = (32, 64, 128, 256, 512)
        return [
            (sign / len(sizes), point(row["test"], 1, size, stateful=stateful))
            for sign, stateful in ((1, "1"), (-1, "0"))
            for size in sizes
        ]

    boards = {test.test: test.board for test in list_tests(arch)}
    return tuple(
        Combined(constants, float(row["lowest_cycles"]), float(row["highest_cycles"]), tuple(terms(row)))
        for table in ("calls/tenstorrent_silicon_calls.csv", "transfer_speeds/parallella_2015_08_cycles.csv")
        for row, constants in zip(read_table(table), constants_of_rows(arch, table), strict=True)
        if row["arch"] == arch
    )


def _moved_bytes(row: Row) -> int:
    return int(row["num_transactions"] * row["transaction_size_bytes"] * row["num_cores"])


def _spread(rows: Sequence[Row], most: int) -> list[Row]:
    """Returns at most `most` rows, spread evenly, including the first and the last row."""
    if len(rows) <= most:
        return list(rows)
    return [rows[round(place * (len(rows) - 1) / (most - 1))] for place in range(most)]


def _rows_of(point: Point) -> list[Row]:
    """Runs a point; returns its rows without their settings."""
    rows = point.catalogue.run_point(point, shorten_from_flit_hops=SHORTEN_FROM_FLIT_HOPS).rows
    return [
        {**row, "params": without_values(row["params"], changed_values(settings_in(row["params"])))} for row in rows
    ]


def command_of(arch: str, path: str) -> str:
    """Returns the command that repeats the fit of a constant: the script that the file names, or this script.

    Raises:
        InputError: the script does not exist, or the constant lists no row that this script handles.
    """
    scripts = re.findall(r"scripts/studies/\w+\.py", constants_of(arch)[path].words)
    for script in scripts:
        if not (STUDIES.parents[1] / script).is_file():
            raise InputError(f"{arch} {path}: expected a script that exists, found {script}")
    if scripts and scripts[0] != OWN_NAME:
        return f"{scripts[0]} (its --help says how)"
    Figures(arch, [constants_of(arch)[path]], is_sample=False)
    return f"{OWN_NAME} --arch {arch} {path}"


def compare_values(arch: str, constant: Constant, values: Sequence[str], pool: ProcessPoolExecutor) -> bool:
    """Prints the errors with each value. Returns True if the value in the file is as good as the best one."""
    figures = Figures(arch, [constant], is_sample=True)
    print(f"{arch} {constant.name}: {figures.num_named} rows that it names")
    print(
        f"  {'value':>12} {'mean %':>8} {'median %':>9} {'p90 %':>8} {'max %':>8}  others: {'median %':>8} {'p90 %':>8}"
    )
    means: dict[str, float] = {}
    for value in dict.fromkeys([*values, constant.value]):
        try:
            errors = figures.errors({constant.path: constant.with_value(value)}, pool)
        except InputError as error:
            print(f"  {value:>12} is refused: {str(error).splitlines()[0]}")
            continue
        means[value] = errors.mean
        of_named = " ".join(f"{value:8.3f}" for value in numpy.percentile(errors.named, (50, 90, 100)))
        of_others = (
            " ".join(f"{value:8.3f}" for value in numpy.percentile(errors.others, (50, 90))) if errors.others else ""
        )
        print(f"  {value:>12} {errors.mean:8.3f}  {of_named}          {of_others}", flush=True)
    best = min(means, key=lambda value: means[value])
    as_good = [value for value in means if means[value] <= means[best] + figures.tolerance_percent]
    print(f"  best: {best}; as good: {', '.join(as_good)}; in the file: {constant.value}")
    return constant.value in as_good


class Fit:
    """State of a fit in stages: an architecture with changed constants."""

    def __init__(self, arch: str, pool: ProcessPoolExecutor) -> None:
        """Starts with the values of STARTS."""
        self.arch = arch
        self.pool = pool
        self.texts: dict[str, str] = {}
        for name, start in STARTS[arch].items():
            self.change(name, start)

    def constant(self, name: str) -> Constant:
        """Returns a constant with its current value."""
        constant = find_constant(self.arch, name)
        return replace(constant, text=self.texts.get(constant.path, constant.text))

    def change(self, name: str, value: str) -> None:
        """Changes the value of a constant."""
        constant = self.constant(name)
        self.texts[constant.path] = constant.with_value(value)

    def fit_stage(self, steps: Sequence[Step]) -> None:
        """Minimizes the error of the rows that the constants of a stage list."""
        figures = Figures(self.arch, [self.constant(step.name) for step in steps], is_sample=False)
        best = figures.errors(self.texts, self.pool).mean
        for name, first, last in steps:
            step = Decimal(first)
            while step >= Decimal(last):
                for direction in (1, -1):
                    while True:
                        before = dict(self.texts)
                        self.change(name, plain(Decimal(self.constant(name).value) + direction * step))
                        try:
                            error = figures.errors(self.texts, self.pool).mean
                        except InputError:
                            error = best
                        if error >= best:
                            self.texts = before
                            break
                        best = error
                step /= 2
            print(f"{self.arch} {name}: {self.constant(name).value} (mean error {best:.3f} %)", flush=True)

    def differences(self) -> list[str]:
        """Returns the names of constants whose value differs from that in the file."""
        return [name for name in STARTS[self.arch] if self.constant(name).value != find_constant(self.arch, name).value]

    def write(self) -> None:
        """Writes the constants into the architecture file."""
        path = file_of(self.arch)
        text = path.read_text()
        for key, value in self.texts.items():
            begin, end = place_in_file(text, key)
            text = text[:begin] + value + text[end:]
        path.write_text(text)
        print(f"wrote {path}")


def place_in_file(text: str, key: str) -> tuple[int, int]:
    """Returns begin and end of a constant's value in the text of an architecture file."""
    names = (*key.split("."), "value")
    depth = offset = 0
    for line in text.splitlines(keepends=True):
        indent = "  " * depth
        if line.startswith(f"{indent}{names[depth]}:"):
            if depth + 1 == len(names):
                return offset + len(f"{indent}value: "), offset + len(line.rstrip())
            depth += 1
        elif depth != 0 and line.strip() and not line.startswith(indent):
            break
        offset += len(line)
    raise InputError(f"expected {key} in an architecture file, found nothing")


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--arch", choices=architecture_names(), required=True)
    parser.add_argument("constants", nargs="*", metavar="CONSTANT[=VALUE,...]", help="default: all of the stages")
    parser.add_argument("--write", action="store_true", help="write what the stages find into the architecture file")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.write and arguments.constants:
        parser.error("--write: expected no constants, since only the stages fit constants together")
    if not arguments.constants and arguments.arch not in STARTS:
        parser.error(f"expected names of constants: there are no stages for {arguments.arch}")
    asked: list[tuple[Constant, list[str]]] = []
    for text in arguments.constants:
        name, _, values = text.partition("=")
        constant = find_constant(arguments.arch, name)
        command = command_of(arguments.arch, constant.path)
        if not command.startswith(OWN_NAME):
            raise InputError(f"{constant.name}: its fit is repeated with {command}")
        if values:
            asked.append((constant, re.findall(r"\[[^\]]*\]|[^,\s]+", values)))
        else:
            asked += [(number, number.values_around()) for number in numbers_of(constant)]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        if asked:
            are_good = [compare_values(arguments.arch, constant, values, pool) for constant, values in asked]
            return 0 if all(are_good) else 1
        fit = Fit(arguments.arch, pool)
        for stage in STAGES:
            steps = [step for step in stage if step.name in STARTS[arguments.arch]]
            if steps:
                fit.fit_stage(steps)
        different = fit.differences()
        if different:
            print(f"not as in the file: {', '.join(different)}")
        if arguments.write:
            fit.write()
    return 1 if different else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NocbenchError as error:
        print(f"fit_constants: {error}", file=sys.stderr)
        sys.exit(2)
