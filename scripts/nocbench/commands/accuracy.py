"""``nocbench accuracy``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.support.exit_status import ExitStatus
from nocbench.support.extras import needs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from nocbench.published.accuracy_summary import AccuracySummary
    from nocbench.published.accuracy_tables import TableAccuracy, TotalAccuracy


_MAX_TESTS_SHOWN = 10
_MEDIANS = ("fitted to", "median %", "never seen", "median %")


@click.command(short_help="Compare results with published measurements.")
@options.results_arguments
@options.reference
@options.only_architectures
@options.only_tests
@click.option(
    "--bounds",
    "bounds_text",
    metavar="BOUNDS",
    help="Greatest errors in percent, such as median=0.8,p90=3,max=8. A table that misses one makes the exit status 1.",
)
@options.jobs
@options.no_cache
@options.as_json
@needs("pandas")
def command(
    results_files: tuple[Path, ...],
    reference_files: tuple[Path, ...],
    architectures: tuple[str, ...],
    patterns: tuple[str, ...],
    bounds_text: str | None,
    jobs: int | None,
    no_cache: bool,
    as_json: bool,
) -> int:
    """Compare RESULTS with published measurements.

    Without RESULTS, all tests about which something was published run first, except those in which every core talks to
    every other.

    For each published table of a test that the results hold: points, and the median, the 90th percentile and the
    maximum of |latency - reference| / reference in percent, with the worst point. Percentiles are interpolated linearly
    between points (numpy's default). A published point without a result makes the exit status 3. Of Epiphany, speeds
    were published: the same for |speed - published| / published of the cells of each table, for the better of the mean
    over sizes and the speed at the largest one. Likewise the numbers of a paper on OpenSHMEM, and cycles by Etherbone.

    Tests that are not here yet do not count as missing. One line on standard error gives their number.

    Two more medians say how the accuracy was earned. Rows count as fitted to if a constant of the architecture names
    them (fitted_rows in its file); no constant was fitted to the others, which count as never seen. Another table has
    the same over all tables of an architecture. The last two have the published latencies of silicon: by group of tests
    (uncontended, multicast, DRAM, many cores, API of 2026) and by family (the primitive). Their last line has all of
    them. The README and the pages have the same figures of the kept results.

    \b
    Example:
      nocbench accuracy results.csv --test "One to One*" \\
        --bounds median=0.8,p90=3,max=8
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.architectures.files import require_architecture
    from nocbench.commands.inputs import read_or_measure, say_faults
    from nocbench.published.accuracy_summary import accuracy_summary
    from nocbench.published.accuracy_tables import (
        compared_tables,
        missed_bounds,
        not_here_yet,
        parse_bounds,
        select_rows,
        totals_of,
        without_reference,
    )
    from nocbench.published.documents import compared_documents, published_tests
    from nocbench.published.reference import read_reference
    from nocbench.results.result_files import rows_of
    from nocbench.support.errors import NothingMatchedError

    bounds = parse_bounds(bounds_text) if bounds_text is not None else {}
    for arch in () if results_files else architectures:
        require_architecture(arch)
    reference = read_reference(reference_files)
    others = set() if reference_files else published_tests()
    published = {*zip(reference["arch"], reference["test"], strict=True), *others}
    results = select_rows(
        read_or_measure(results_files, jobs, no_cache=no_cache, published=published), architectures, patterns
    )
    compared = compared_tables(results, reference) + (compared_documents(results) if others else [])
    tables = [table.accuracy() for table in compared]
    totals = totals_of(compared)
    summary = accuracy_summary(compared)
    if not tables:
        raise NothingMatchedError("nothing was published about any test of these results")
    missed = [missed_bounds(table, bounds) for table in tables]
    absent = not_here_yet(reference, results, architectures, patterns)
    if as_json:
        _print_json(tables, totals, summary, missed, bounds, absent)
    else:
        _print_tables(tables, missed, bounds)
        _print_totals(totals)
        _print_summary(summary)

    _say_not_here(absent)
    for table in compared:
        for difference in table.differences:
            click.echo(f"{table.test}, {table.kernel}, on {table.arch}: {difference}", err=True)
    unpublished = without_reference(results, reference, others)
    if unpublished:
        listed = ", ".join(f"{test} ({arch})" for arch, test in unpublished[:_MAX_TESTS_SHOWN])
        if len(unpublished) > _MAX_TESTS_SHOWN:
            listed += f" and {len(unpublished) - _MAX_TESTS_SHOWN} more"
        click.echo(f"nothing was published about: {listed}", err=True)
    return _verdict(tables, missed, say_faults(rows_of(results)))


def _say_not_here(tables: Sequence[tuple[str, str]]) -> None:
    """Prints the number of published tests without a counterpart here, which are not compared."""
    from nocbench.support.units import plural

    tests: dict[str, list[str]] = {}
    for arch, test in tables:
        tests.setdefault(test, []).append(arch)
    if tests:
        name, archs = next(iter(tests.items()))
        click.echo(
            f"not here yet, so not compared: {plural(len(tests), 'published test')}, such as {name} "
            f"({', '.join(archs)}); 'nocbench list --upstream' names them",
            err=True,
        )


def _print_json(
    tables: Sequence[TableAccuracy],
    totals: Sequence[TotalAccuracy],
    summary: AccuracySummary,
    missed: Sequence[Sequence[str]],
    bounds: Mapping[str, float],
    absent: Sequence[tuple[str, str]],
) -> None:
    import json
    from dataclasses import asdict

    document = {
        "percentiles": "linear interpolation between points",
        "bounds_percent": dict(bounds),
        "tables": [
            {**asdict(table), "missed_bounds": list(names)} for table, names in zip(tables, missed, strict=True)
        ],
        "totals": [asdict(total) for total in totals],
        "groups": [asdict(group) for group in summary.groups],
        "families": [asdict(family) for family in summary.families],
        "total": asdict(summary.total),
        "not_here_yet": [{"arch": arch, "test": test} for arch, test in absent],
    }
    click.echo(json.dumps(document, indent=2))


def _print_tables(
    tables: Sequence[TableAccuracy], missed: Sequence[Sequence[str]], bounds: Mapping[str, float]
) -> None:
    for position, quantity in enumerate(dict.fromkeys(table.quantity for table in tables)):
        if position:
            click.echo()
        chosen = [place for place, table in enumerate(tables) if table.quantity == quantity]
        _print_table(quantity, [tables[place] for place in chosen], [missed[place] for place in chosen], bounds)


def _print_table(
    quantity: str, tables: Sequence[TableAccuracy], missed: Sequence[Sequence[str]], bounds: Mapping[str, float]
) -> None:
    from nocbench.support.tables import print_table
    from nocbench.support.units import format_size

    def worst(table: TableAccuracy) -> str:
        if table.worst_transaction_size_bytes is None:
            return table.worst_cell
        params = f" {table.worst_params}" if table.worst_params else ""
        return (
            f"{table.worst_num_transactions} x {format_size(table.worst_transaction_size_bytes)}{params}: "
            f"{table.worst_latency_cycles:.10g}, published {table.worst_reference_latency_cycles:.10g}"
        )

    with_board = len({(table.board, table.params) for table in tables if table.board or table.params}) > len(
        {table.arch for table in tables}
    ) or any(table.params for table in tables)
    rows = []
    for table, names in zip(tables, missed, strict=True):
        row: list[object] = [table.arch, table.test, table.kernel]
        if with_board:
            row += [table.board, table.params]
        row += [table.points, table.missing, _percent(table.median_percent), _percent(table.p90_percent)]
        row += [_percent(table.max_percent), *_medians(table), worst(table)]
        if bounds:
            row.append("; ".join(names) or ("within" if table.points else "no points"))
        rows.append(row)
    print_table(
        [
            *("arch", "test", "kernel"),
            *(("board", "params") if with_board else ()),
            *("points", "missing", "median %", "p90 %", "max %"),
            *_MEDIANS,
            "worst point, cycles" if quantity == "latency" else "worst point",
            *(("bounds",) if bounds else ()),
        ],
        rows,
        title=f"|{quantity} - reference| / reference",
    )


def _print_totals(totals: Sequence[TotalAccuracy]) -> None:
    from nocbench.support.tables import print_table

    click.echo()
    print_table(
        ["arch", "points", "missing", "median %", *_MEDIANS],
        [
            [total.arch, total.points, total.missing, _percent(total.median_percent), *_medians(total)]
            for total in totals
        ],
        title="all tables of an architecture",
    )


def _print_summary(summary: AccuracySummary) -> None:
    """Prints the accuracy against published latencies of silicon, if the results have any."""
    from nocbench.support.tables import print_table

    for word, accuracies in (("group", summary.groups), ("family", summary.families)):
        if not accuracies:
            continue
        click.echo()
        lines = [(accuracy.family or "unknown", accuracy) for accuracy in accuracies]
        print_table(
            [word, "points", "missing", "median %", "p90 %", "max %", "points within 1 %"],
            [
                [
                    *(name, of_name.points, of_name.missing, _percent(of_name.median_percent)),
                    *(_percent(of_name.p90_percent), _percent(of_name.max_percent)),
                    "" if of_name.within_1_percent is None else f"{100 * of_name.within_1_percent:.0f} %",
                ]
                for name, of_name in [*lines, ("all", summary.total)]
            ],
            title=f"all published latencies of silicon, by {word}",
        )


def _medians(accuracy: TableAccuracy | TotalAccuracy) -> list[object]:
    return [
        accuracy.fitted_points, _percent(accuracy.fitted_median_percent),
        accuracy.never_seen_points, _percent(accuracy.never_seen_median_percent),
    ]  # fmt: skip


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _verdict(tables: Sequence[TableAccuracy], missed: Sequence[Sequence[str]], num_wrong: int) -> ExitStatus:
    num_missed = sum(bool(names) for names in missed)
    if num_missed:
        click.echo(f"{num_missed} of {len(tables)} tables miss a bound", err=True)
    num_missing = sum(table.missing for table in tables)
    if num_missing:
        click.echo(f"{num_missing} published points have no result", err=True)
    if num_wrong or num_missed:
        return ExitStatus.NEGATIVE_VERDICT
    return ExitStatus.INCOMPLETE if num_missing else ExitStatus.FINE
