"""Errors of results against published measurements.

The error of a point is (latency - reference) / reference. Each table has the distribution of the absolute error in
percent: median, 90th percentile and maximum, with the number of points. Percentiles are interpolated linearly between
the two nearest points, as by default in numpy. There are two more medians: over rows to which a constant was fitted,
and over all other rows (:mod:`nocbench.published.fitted_rows`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from nocbench.points.swept_tests import START, start_of, starts_as_published
from nocbench.published.alignment import align, duration_of, known_tests, variants
from nocbench.published.reference import IS_FITTED
from nocbench.results.headings import text_of
from nocbench.results.result_files import rows_of
from nocbench.results.selected_rows import is_called, selected_tests
from nocbench.support.columns import (
    HOW_MADE,
    SIMULATED_TRANSACTIONS,
    STEADY,
    VARIANT_KEY,
    changed_values,
    params_of,
    without_values,
)
from nocbench.support.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    import pandas

    from nocbench.points.swept_tests import SweptTest
    from nocbench.published.alignment import Alignment

STATISTICS = ("median", "p90", "max")

_DURATION = "duration"

LATENCY = "latency"
"""Compared quantity of points of tests, as opposed to figures in documents."""


class Medians(NamedTuple):
    """Median errors of published rows to which a constant was fitted, and of all other rows.

    Attributes:
        fitted_points, fitted_median_percent: number of rows to which a constant was fitted, and the median of their
            absolute errors; None without rows.
        never_seen_points, never_seen_median_percent: number and median of all other rows.
    """

    fitted_points: int
    fitted_median_percent: float | None
    never_seen_points: int
    never_seen_median_percent: float | None


def medians_of(errors: Iterable[tuple[float, bool]]) -> Medians:
    """Returns both medians of absolute errors in percent.

    Each error comes with True if a constant was fitted to its row.
    """
    fitted: list[float] = []
    never_seen: list[float] = []
    for error_percent, is_fitted in errors:
        (fitted if is_fitted else never_seen).append(error_percent)
    return Medians(len(fitted), _median(fitted), len(never_seen), _median(never_seen))


@dataclass(frozen=True, slots=True)
class TableAccuracy:
    """Errors of results against one published table.

    Attributes:
        arch, test, kernel: key of the table.
        board, params: configuration of the results; empty if the results lack the column.
        points: number of compared points.
        missing: number of published points without a result.
        median_percent, p90_percent, max_percent: absolute relative error; None without points.
        worst_*: point with the largest error.
        quantity: compared quantity: "latency" for points of a test, else the quantity in the document.
        worst_cell: worst row in words, for a table of a document.
        fitted_points, fitted_median_percent, never_seen_points, never_seen_median_percent: as in :class:`Medians`.
        worst_params: parameters of the worst point that vary in the table: "noc=1".
    """

    arch: str
    test: str
    kernel: str
    board: str
    params: str
    points: int
    missing: int
    median_percent: float | None = None
    p90_percent: float | None = None
    max_percent: float | None = None
    worst_num_transactions: int | None = None
    worst_transaction_size_bytes: int | None = None
    worst_latency_cycles: float | None = None
    worst_reference_latency_cycles: float | None = None
    quantity: str = LATENCY
    worst_cell: str = ""
    fitted_points: int = 0
    fitted_median_percent: float | None = None
    never_seen_points: int = 0
    never_seen_median_percent: float | None = None
    worst_params: str = ""


@dataclass(frozen=True, slots=True)
class TotalAccuracy:
    """Errors of results against all published tables of an architecture.

    Attributes:
        arch: architecture.
        points, missing, median_percent: as in :class:`TableAccuracy`, over the rows of all tables.
        fitted_points, fitted_median_percent, never_seen_points, never_seen_median_percent: as in :class:`Medians`.
    """

    arch: str
    points: int
    missing: int
    median_percent: float | None
    fitted_points: int
    fitted_median_percent: float | None
    never_seen_points: int
    never_seen_median_percent: float | None


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A published row and the model's value.

    Attributes:
        modeled, published: value of the model and published value, in one unit.
        is_fitted: True if a constant was fitted to the row.
        name: the row in words, and `unit`, the unit of its figures; both empty for a point of a test.
        num_transactions, transaction_size_bytes: axes of a point of a test; else None.
        params: parameters that distinguish the point from others in the table.
    """

    modeled: float
    published: float
    is_fitted: bool
    name: str = ""
    unit: str = ""
    num_transactions: int | None = None
    transaction_size_bytes: int | None = None
    params: str = ""

    @property
    def error_percent(self) -> float:
        """Absolute relative error, in percent."""
        return 100 * abs(self.modeled - self.published) / self.published


@dataclass(frozen=True, slots=True)
class ComparedTable:
    """A published table beside results, row by row.

    Attributes:
        arch, test, kernel, board, params, missing, quantity: as in :class:`TableAccuracy`.
        rows: rows with a result.
        differences: reason for missing rows: parameters whose values in the results were never published.
        primitive: primitive of the test; empty if unknown.
        num_cores: number of cores that ran the kernel, the greatest of all rows; 1 if unknown.
    """

    arch: str
    test: str
    kernel: str
    board: str
    params: str
    rows: tuple[ComparedRow, ...]
    missing: int
    quantity: str = LATENCY
    differences: tuple[str, ...] = ()
    primitive: str = ""
    num_cores: int = 1

    @property
    def errors(self) -> list[tuple[float, bool]]:
        """Absolute errors in percent, each with True if a constant was fitted to its row."""
        return [(row.error_percent, row.is_fitted) for row in self.rows]

    def accuracy(self) -> TableAccuracy:
        """Returns the distribution of the errors."""
        table = TableAccuracy(
            self.arch, self.test, self.kernel, self.board, self.params, len(self.rows), self.missing,
            quantity=self.quantity, **medians_of(self.errors)._asdict(),
        )  # fmt: skip
        if not self.rows:
            return table
        median, p90, most = percentiles([error_percent for error_percent, _ in self.errors], 50, 90, 100)
        table = replace(table, median_percent=median, p90_percent=p90, max_percent=most)
        worst = max(self.rows, key=lambda row: row.error_percent)
        if worst.name:
            modeled = f"{worst.modeled:.4g} {worst.unit}".rstrip()
            return replace(table, worst_cell=f"{worst.name}: {modeled}, published {worst.published:g}")
        return replace(
            table,
            worst_num_transactions=worst.num_transactions,
            worst_transaction_size_bytes=worst.transaction_size_bytes,
            worst_latency_cycles=worst.modeled,
            worst_reference_latency_cycles=worst.published,
            worst_params=worst.params,
        )


def totals_of(tables: Sequence[ComparedTable]) -> list[TotalAccuracy]:
    """Returns the errors over all tables of each architecture, in the order of the tables."""
    totals = []
    for arch in dict.fromkeys(table.arch for table in tables):
        of_arch = [table for table in tables if table.arch == arch]
        errors = [error for table in of_arch for error in table.errors]
        median = _median([error_percent for error_percent, _ in errors])
        missing = sum(table.missing for table in of_arch)
        totals.append(TotalAccuracy(arch, len(errors), missing, median, **medians_of(errors)._asdict()))
    return totals


def match(
    results: pandas.DataFrame, reference: pandas.DataFrame, alignment: Alignment | None = None
) -> pandas.DataFrame:
    """Returns results with their published values and errors.

    Args:
        results: rows of one test on one architecture.
        reference: published rows of the test; without the column `is_fitted`, no constant was fitted to them.
        alignment: alignment of results and published rows, if known.

    Returns:
        The results, in order, with the columns `reference_latency_cycles`, `reference_bandwidth_bytes_per_cycle` and
        `error_percent`, which are NaN if not published, and `is_fitted`, True if a constant was fitted to the published
        row.
    """
    if alignment is None:
        alignment = align(reference, results, _test_of(results))
    measured = ["latency_cycles", "bandwidth_bytes_per_cycle"]
    published = {name: [math.nan] * len(results) for name in measured}
    is_fitted = [False] * len(results)
    of_reference = alignment.rows.assign(**{IS_FITTED: _is_fitted(alignment.rows)})[[*measured, IS_FITTED]]
    modeled_cycles = [float(cycles) for cycles in results["latency_cycles"]]
    rows = rows_of(results)
    for positions, duration, row in zip(
        alignment.positions, alignment.durations, of_reference.itertuples(index=False, name=None), strict=True
    ):
        for position in positions:
            modeled_cycles[position] = duration_of(rows[position], duration)
            for name, value in zip(measured, row, strict=False):
                published[name][position] = float(value)
            is_fitted[position] = bool(row[-1])
    matched = results.assign(**{f"reference_{name}": values for name, values in published.items()})
    difference_cycles = modeled_cycles - matched["reference_latency_cycles"]
    matched["error_percent"] = 100 * difference_cycles / matched["reference_latency_cycles"]
    return matched.assign(**{IS_FITTED: is_fitted})


def _is_fitted(reference: pandas.DataFrame) -> list[bool]:
    return [bool(value) for value in reference[IS_FITTED]] if IS_FITTED in reference else [False] * len(reference)


def _test_of(results: pandas.DataFrame) -> SweptTest | None:
    return None if results.empty else known_tests(results["arch"].iloc[0]).get(results["test"].iloc[0])


def compare_tables(results: pandas.DataFrame, reference: pandas.DataFrame) -> list[TableAccuracy]:
    """Returns the distribution of errors for each table from :func:`compared_tables`."""
    return [table.accuracy() for table in compared_tables(results, reference)]


def compared_tables(results: pandas.DataFrame, reference: pandas.DataFrame) -> list[ComparedTable]:
    """Compares results with published measurements.

    Args:
        results: result rows; the seven common columns suffice.
        reference: published measurements: the seven common columns, and optionally `params`, `riscv` and `is_fitted`.

    Returns:
        One entry per published table of a test in the results, board, and set of parameters that published rows do not
        name, in the order of results. Tests without results do not count as missing. Runs whose cores start otherwise
        than those of published runs are left out, unless published rows name their start.
    """
    import pandas

    tables: list[ComparedTable] = []
    results = with_variants(results).reset_index(drop=True)
    by_test = {(str(arch), str(test)): table for (arch, test), table in reference.groupby(["arch", "test"], sort=False)}
    tests = {arch: known_tests(arch) for arch in results["arch"].unique()}
    variant = results["params"].tolist()
    for (arch, test), rows in results.groupby(["arch", "test"], sort=False):
        if (published := by_test.get((str(arch), str(test)))) is not None:
            texts = variants(rows, published, tests[str(arch)].get(str(test)))
            for place, text in zip(rows.index, texts, strict=True):
                variant[int(place)] = text
    for key, measured in results.groupby(["arch", "test", "board", pandas.Series(variant, dtype=object)], sort=False):
        arch, test, board, params = (str(part) for part in key)
        if not starts_as_published(params, tests[arch].get(test)):
            continue
        if (arch, test) in by_test:
            alignment = align(by_test[arch, test], measured, tests[arch].get(test))
            tables += _tables_of_run(measured, alignment, board, params, tests[arch].get(test))
    return tables


def _tables_of_run(
    measured: pandas.DataFrame, alignment: Alignment, board: str, params: str, known: SweptTest | None
) -> Iterator[ComparedTable]:
    """Yields the tables of a run of a test, one per kernel of the published rows."""
    rows = rows_of(measured)
    primitive = known.primitive if known else text_of(rows[0].get("primitive"))
    published = rows_of(alignment.rows.assign(**{IS_FITTED: _is_fitted(alignment.rows)}))
    for kernel in alignment.rows["kernel"].drop_duplicates():
        of_kernel = [
            (positions, row | {_DURATION: duration})
            for positions, duration, row in zip(alignment.positions, alignment.durations, published, strict=True)
            if row["kernel"] == kernel
        ]
        pairs = sorted(
            ((position, row) for positions, row in of_kernel for position in positions), key=lambda pair: pair[0]
        )
        several = _with_several_values([changed_values(rows[position]["params"]) for position, _ in pairs])
        compared = tuple(
            ComparedRow(
                modeled=duration_of(rows[position], row[_DURATION]),
                published=float(row["latency_cycles"]),
                is_fitted=row[IS_FITTED],
                num_transactions=int(row["num_transactions"]),
                transaction_size_bytes=int(row["transaction_size_bytes"]),
                params=params_of(
                    {name: value for name, value in changed_values(rows[position]["params"]).items() if name in several}
                ),
            )
            for position, row in pairs
        )
        missing = sum(not positions for positions, _ in of_kernel)
        differences = alignment.differences if missing else ()
        arch, test = rows[0]["arch"], rows[0]["test"]
        yield ComparedTable(
            *(arch, test, kernel, board, params, compared, missing),
            differences=differences,
            primitive=primitive,
            num_cores=max((int(rows[position].get("num_cores", 1)) for position, _ in pairs), default=1),
        )


def _with_several_values(of_rows: Sequence[Mapping[str, str]]) -> set[str]:
    names = dict.fromkeys(name for of_row in of_rows for name in of_row)
    return {name for name in names if len({of_row.get(name) for of_row in of_rows}) > 1}


def with_variants(results: pandas.DataFrame) -> pandas.DataFrame:
    """Returns results with columns `board` and `params`, empty if missing; pandas reads empty texts as NaN.

    The number of simulated transactions and the flag of an unsteady prediction do not distinguish points: they move
    from `params` to the columns `simulated_transactions` and `steady`.
    """
    results = results.assign(
        **{
            name: results[name].astype(object).where(results[name].notna(), "") if name in results.columns else ""
            for name in VARIANT_KEY
        }
    )
    changed = [changed_values(params) for params in results["params"]]
    simulated = [values.get(SIMULATED_TRANSACTIONS) for values in changed]
    return results.assign(
        params=[without_values(params, HOW_MADE) for params in results["params"]],
        simulated_transactions=[
            int(number) if number else int(of_point)
            for number, of_point in zip(simulated, results["num_transactions"], strict=True)
        ],
        steady=[values.get(STEADY) != "0" for values in changed],
    )


def select_rows(
    results: pandas.DataFrame, architectures: Sequence[str] = (), patterns: Sequence[str] = ()
) -> pandas.DataFrame:
    """Returns the results that :func:`nocbench.results.selected_rows.selected_tests` selects."""
    tests = list(zip(results["arch"], results["test"], strict=True))
    chosen = selected_tests(tests, architectures, patterns)
    return results[[test in chosen for test in tests]]


def without_reference(
    results: pandas.DataFrame, reference: pandas.DataFrame, others: Collection[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """Returns the (arch, test) of results without published measurements. Names are marked if cores start otherwise.

    Args:
        results: result rows.
        reference: published measurements.
        others: (arch, test) with other published figures.
    """
    published = {*zip(reference["arch"], reference["test"], strict=True), *others}
    results = with_variants(results)
    tests = {arch: known_tests(arch) for arch in results["arch"].unique()}

    def name_of(arch: str, test: str, params: str) -> str:
        known = tests[arch].get(test)
        return test if starts_as_published(params, known) else f"{test} ({START}={start_of(params, known)})"

    runs = dict.fromkeys(zip(results["arch"], results["test"], results["params"], strict=True))
    held = dict.fromkeys((arch, name_of(arch, test, params)) for arch, test, params in runs)
    return [table for table in held if table not in published]


def not_here_yet(
    reference: pandas.DataFrame,
    results: pandas.DataFrame,
    architectures: Sequence[str] = (),
    patterns: Sequence[str] = (),
) -> list[tuple[str, str]]:
    """Returns the (arch, test) of published tests that have no results and cannot be run.

    Args:
        reference: published measurements.
        results: result rows.
        architectures: architectures to consider; empty: all.
        patterns: names or globs of tests to consider; empty: all.
    """
    published = dict.fromkeys(zip(reference["arch"], reference["test"], strict=True))
    held = set(zip(results["arch"], results["test"], strict=True))
    tests = {arch: known_tests(arch) for arch in dict.fromkeys(arch for arch, _ in published)}
    return [
        (arch, test)
        for arch, test in published
        if test not in tests[arch]
        and (arch, test) not in held
        and (not architectures or arch in architectures)
        and (not patterns or any(is_called(test, pattern) for pattern in patterns))
    ]


def parse_bounds(text: str) -> dict[str, float]:
    """Returns the bounds in a text such as "median=0.8,p90=3,max=8", in percent; each of the three is optional.

    Raises:
        InputError: a malformed text.
    """
    bounds: dict[str, float] = {}
    for item in text.split(","):
        name, _, value = (part.strip() for part in item.partition("="))
        if name not in STATISTICS:
            raise InputError(
                f"'{item.strip()}' in the bounds is none of median=PERCENT, p90=PERCENT, max=PERCENT"
                + did_you_mean(name, STATISTICS)
            )
        try:
            bounds[name] = float(value)
        except ValueError:
            raise InputError(f"the bound '{item.strip()}' has no number") from None
        if not bounds[name] >= 0:
            raise InputError(f"the bound '{item.strip()}' is not a percentage")
    return bounds


def missed_bounds(table: TableAccuracy, bounds: Mapping[str, float]) -> list[str]:
    """Returns the bounds that a table misses: ["p90 3.4 > 3"]; none for a table without points."""
    missed = []
    for name, bound_percent in bounds.items():
        percent = getattr(table, f"{name}_percent")
        if percent is not None and percent > bound_percent:
            missed.append(f"{name} {percent:.5g} > {bound_percent:g}")
    return missed


def _median(values: Sequence[float]) -> float | None:
    return percentiles(values, 50)[0] if values else None


def percentiles(values: Sequence[float], *percents: float) -> list[float]:
    """Returns percentiles of at least one value, interpolated linearly."""
    import numpy

    return [float(value) for value in numpy.percentile(values, percents)]
