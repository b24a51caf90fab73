"""``nocbench run``."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from nocbench.points.accuracy import Accuracy
    from nocbench.points.point import Point
    from nocbench.running.engines.engine import Engine
    from nocbench.running.execution import Measurements
    from nocbench.running.journal import Journal
    from nocbench.running.shards import Shard
    from nocbench.suites.suite import Suite
    from nocbench.support.columns import Row

_MAX_ROWS_SHOWN_SINGLY = 60


@click.command(cls=FileCommand, short_help="Run tests and write result rows.")
@click.argument("tests", nargs=-1, metavar="[TEST]...", shell_complete=options.complete_tests)
@options.architectures
@options.board
@click.option("--exclude", multiple=True, metavar="TEST", help="Leave out a test; may be given several times.")
@options.suite
@click.option(
    "--tier",
    type=click.Choice(["full", "quick"]),
    default="full",
    show_default=True,
    help="Points to run: a few, or all.",
)
@options.assignments
@options.settings
@options.accuracy
@options.chosen_compiler
@click.option(
    "--sample-exact",
    type=click.IntRange(min=1),
    metavar="N",
    help="Run N of the fast points exactly, too, and print by how much they differ.",
)
@click.option(
    "-o",
    "--output",
    type=OutputPath(),
    metavar="FILE",
    help="Write the result rows to FILE, .csv or .parquet; - is CSV on standard output.",
)
@click.option(
    "--detail",
    "detail_directory",
    type=OutputPath(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a JSON file per point with its cores and links.",
)
@click.option(
    "--record",
    "record_directory",
    type=OutputPath(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the NoC events of each point as a JSON file, too, as the profiler of tt-metal does; 'nocbench replay' "
    "takes it. Each point runs once more for that.",
)
@options.checks_of_points
@click.option("--whole", is_flag=True, help="Simulate all transactions of the longest points, too; takes hours.")
@click.option("--costs", is_flag=True, help="Say at the end, on standard error, where time and memory went.")
@options.jobs
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Run on a Dask cluster: tls://HOST:PORT or tcp://HOST:PORT of its scheduler, or 'local' for one of -j workers "
    "on this machine.",
)
@click.option("--shard", metavar="I/N", help="Run only the I-th of N parts of equal work; nocbench merge joins them.")
@options.no_cache
@click.option("--dry-run", is_flag=True, help="Say what would run, and run nothing.")
@click.option("--restart", is_flag=True, help="Forget what an earlier start of this run has finished.")
@options.as_json
def command(
    tests: tuple[str, ...],
    exclude: tuple[str, ...],
    architectures: tuple[str, ...],
    board: str,
    suite: Suite | None,  # noqa: ARG001 - the option's callback has put its tests in use
    tier: str,
    assignments: tuple[str, ...],
    settings: tuple[str, ...],
    accuracy: Accuracy,
    sample_exact: int | None,
    output: str | None,
    detail_directory: Path | None,
    record_directory: Path | None,
    checks: frozenset[str],
    whole: bool,
    costs: bool,
    jobs: int | None,
    cluster: str | None,
    shard: str | None,
    no_cache: bool,
    dry_run: bool,
    restart: bool,
    as_json: bool,
) -> int:
    """Run tests and write result rows.

    TEST is a name, an id or a glob, or the name of a primitive; without any, all tests run. A primitive or a glob
    leaves out tests without the parameters of -a, and values that a test refuses. A note names them. A summary goes to
    standard output. -o writes the rows to a file. They are the same for any number of worker processes. If points take
    very long, fewer transactions are simulated as soon as these tell how long all of them take. The column params of
    such rows has simulated_transactions=.

    While it runs, FILE.journal keeps what has finished. After a crash, a kill or a full disk the same command goes on
    from there and writes the same bytes; --restart forgets it.

    Results are kept from one run to the next by all that they depend on, and not computed twice. --no-cache computes
    them all.

    \b
    Examples:
      nocbench run --costs -o results.csv
      nocbench run one_to_one -a call_size=64B:64KiB:x2 -a num_transactions=1,256
      nocbench run one_to_one --set router.hop_cycles=8,9,10 -o what_if.csv
      nocbench run all_to_all --accuracy auto --sample-exact 4 -o quick.csv
      nocbench run "One to*" -a call_size=64B:1MiB:x2 --dry-run
      nocbench run --shard 1/4 -o part1.csv
      nocbench run --cluster tcp://HOST:8786 -o results.csv
      nocbench run --suite demo --tier quick
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.points.axes import parse_choices
    from nocbench.points.selection import select_points
    from nocbench.results.result_files import is_regular, require_writable, to_csv, write_results
    from nocbench.running.accuracies import choose
    from nocbench.running.engines import make_engine, note_on_trust
    from nocbench.running.execution import run_points
    from nocbench.running.kept_points import kept_points
    from nocbench.running.shard_manifest import remove_manifest
    from nocbench.running.shards import Shard
    from nocbench.support.progress import ProgressReport
    from nocbench.support.units import plural

    if as_json and output == "-":
        raise click.UsageError("--json and -o - both write to standard output")
    if sample_exact is not None and accuracy.choice == "exact":
        raise click.UsageError("--sample-exact compares points of --accuracy fast or auto with exact ones")
    part = None if shard is None else Shard.parse(shard)
    results_path = None if output in (None, "-") else Path(str(output))
    if part is not None and (results_path is None or not is_regular(results_path)):
        raise click.UsageError("--shard needs -o FILE: beside FILE it writes down which part of the run FILE is")
    if results_path is not None:
        require_writable(results_path)
    axes, fields = parse_choices(assignments, settings)
    whole_run = select_points(
        tests,
        exclude=exclude,
        architectures=architectures,
        board=board,
        tier=tier,
        axes=axes,
        settings=fields,
        say=remark,
    )
    whole_run = choose(whole_run, accuracy, make_engine(jobs, len(whole_run), cluster))
    positions = None if part is None else part.positions(whole_run)
    points = whole_run if positions is None else [whole_run[position] for position in positions]
    if record_directory is not None:
        from nocbench.replaying.recording import require_recordable

        require_recordable(points)
    if dry_run:
        kept = kept_points(points, no_cache=no_cache, whole=whole, with_details=detail_directory is not None)
        _print_plan(points, () if kept is None else kept.taken, as_json=as_json)
        return ExitStatus.FINE
    with contextlib.ExitStack() as stack:
        journal = None
        if results_path is not None and is_regular(results_path):
            journal = stack.enter_context(_opened_journal(results_path, points, whole, detail_directory, restart))
        taken = {} if journal is None else journal.taken
        kept = kept_points(points, no_cache=no_cache, whole=whole, with_details=detail_directory is not None, but=taken)
        if kept is not None:
            taken = taken | kept.taken
            if kept.taken:
                remark(f"{len(kept.taken)} of {plural(len(points), 'point')} kept from earlier runs")
        num_left = len(points) - len(taken)
        engine = make_engine(jobs, num_left, cluster)
        if note := note_on_trust(cluster):
            click.echo(note, err=True)
        _note_long_points([point for at, point in enumerate(points) if at not in taken], engine, whole=whole)
        announcement = _announcement(points, engine.description, num_left)
        with ProgressReport(announcement, "points", num_left) as progress:
            measurements = run_points(
                points,
                engine,
                whole=whole,
                detail_directory=detail_directory,
                on_progress=progress.update,
                journal=journal,
                kept=kept,
            )
        if output == "-":
            click.echo(to_csv(measurements.rows), nl=False)
        elif results_path is not None:
            write_results(measurements.rows, results_path)
            if part is None or positions is None:  # an earlier run may have left a manifest of its shard
                remove_manifest(results_path)
            else:
                _write_manifest(results_path, part, positions, whole_run, measurements, whole)
            remark(f"wrote {len(measurements.rows)} result rows to {output}")
        if journal is not None:
            journal.is_complete = not measurements.crashes
    if detail_directory is not None:
        remark(f"wrote details to {detail_directory}")
    if as_json:
        _print_json(measurements)
    elif output != "-":
        _print_summary(measurements.rows)
    _note_unsteady(measurements.rows)
    if costs:
        _print_costs(measurements)
    verdict = _verdict(measurements)
    if sample_exact is not None:
        verdict = verdict or _compare_with_exact(points, measurements, sample_exact, engine, whole=whole)
    if record_directory is not None:
        _record(points, record_directory)
    if checks and _check(points, checks):
        verdict = verdict or ExitStatus.NEGATIVE_VERDICT
    return verdict


def _check(points: Sequence[Point], checks: frozenset[str]) -> bool:
    """Prints what checks find in points. Returns True if that is anything."""
    from nocbench.checks.built_in_tests import findings_of_built_in
    from nocbench.suites.suite import Suite
    from nocbench.support.errors import Mistakes

    mistakes = Mistakes()
    has_findings = False
    for point in points:
        with mistakes.noted():
            if isinstance(point.catalogue, Suite):
                findings, allowances = point.catalogue.findings(point, checks)
            else:
                findings, allowances = findings_of_built_in(point, checks), []
            if findings or allowances:
                click.echo(f"{point.describe()}:", err=True)
            options.print_findings(findings, allowances)
            has_findings = has_findings or bool(findings)
    mistakes.complain()
    remark(f"checked {len(points)} points: {', '.join(sorted(checks))}")
    return has_findings


def _record(points: Sequence[Point], directory: Path) -> None:
    from nocbench.replaying.recording import write_recorded
    from nocbench.running.details import detail_path
    from nocbench.support.atomic_files import make_directory
    from nocbench.support.errors import Mistakes
    from nocbench.support.units import plural

    mistakes = Mistakes()
    for point in points:
        with mistakes.noted():
            path = directory / detail_path(point)
            make_directory(path.parent)
            remark(f"wrote {plural(write_recorded(point, path), 'event')} to {path}")
    mistakes.complain()


@contextlib.contextmanager
def _opened_journal(
    results_path: Path, points: Sequence[Point], whole: bool, detail_directory: Path | None, restart: bool
) -> Iterator[Journal]:
    from nocbench.running.journal import Journal, journal_path

    journal = Journal(
        journal_path(results_path), points, whole=whole, detail_directory=detail_directory, restart=restart
    )
    try:
        with journal:
            for note in journal.notes:
                click.echo(note, err=True)
            yield journal
    finally:
        if journal.is_kept:
            click.echo(f"{journal.path} keeps what has finished; the same command goes on from there", err=True)


def _write_manifest(
    results_path: Path,
    shard: Shard,
    positions: list[int],
    whole_run: Sequence[Point],
    measurements: Measurements,
    whole: bool,
) -> None:
    from nocbench.points.catalogue import in_use
    from nocbench.points.selection import selection_digest
    from nocbench.running.shard_manifest import ShardManifest, results_sha256, write_manifest

    write_manifest(
        results_path,
        ShardManifest(
            number=shard.number,
            count=shard.count,
            revision=in_use().identity(),
            selection=selection_digest(whole_run, whole=whole),
            num_points=len(whole_run),
            positions=positions,
            row_counts=measurements.row_counts,
            crashes=[crash.describe() for crash in measurements.crashes],
            results_sha256=results_sha256(results_path),
        ),
    )


def _note_long_points(points: Sequence[Point], engine: Engine, *, whole: bool) -> None:
    """Prints the points that will take hours."""
    from nocbench.running.estimates import long_points
    from nocbench.support.progress import format_duration

    for found in long_points(points, engine, whole=whole):
        remark(
            f"note: {found.point.describe()} takes about {found.flit_hops:.2g} flit-hops: about "
            f"{format_duration(found.seconds)} of one processor"
        )


def _announcement(points: Sequence[Point], where: str, num_left: int) -> str:
    from nocbench.support.units import plural

    num_tests = len({(point.arch, point.test) for point in points})
    architectures = ", ".join(dict.fromkeys(point.arch for point in points))
    left = f"{num_left} of " if num_left < len(points) else ""
    catalogues = {point.test: point.catalogue for point in points}
    compilers = dict.fromkeys(filter(None, (catalogue.compiler_of(test) for test, catalogue in catalogues.items())))
    kernels = f", kernels compiled by {' and '.join(compilers)}" if compilers else ""
    return (
        f"running {left}{plural(len(points), 'point')} of {plural(num_tests, 'test')} on {architectures} in "
        f"{where}{kernels}"
    )


def _print_plan(points: Sequence[Point], kept: Collection[int], *, as_json: bool) -> None:
    """Prints the points of a run, with the number, or as JSON the fact, that earlier runs have kept results of them."""
    import json
    from collections import Counter

    from nocbench.support.tables import print_table

    if as_json:
        entries = [_json_of(point) | {"is_kept": position in kept} for position, point in enumerate(points)]
        click.echo(json.dumps({"points": entries}, indent=2))
        return
    counts = Counter((point.arch, point.test) for point in points)
    of_kept = Counter((points[position].arch, points[position].test) for position in kept)
    rows = [[*test, count, of_kept[test]] for test, count in counts.items()]
    print_table(["arch", "test", "points", "kept"], [*rows, ["all", "", len(points), len(kept)]])


def _json_of(point: Point) -> dict[str, Any]:
    return {
        "arch": point.arch,
        "board": point.board,
        "test": point.test,
        "parameters": dict(point.parameters),
        "settings": [list(setting) for setting in point.settings],
    }


def _print_json(measurements: Measurements) -> None:
    import json

    crashes = [_json_of(crash.point) | {"reason": crash.reason} for crash in measurements.crashes]
    document = {"rows": measurements.rows, "data_faults": measurements.data_faults, "crashes": crashes}
    click.echo(json.dumps(document, indent=2))


def _note_unsteady(rows: Sequence[Row]) -> None:
    """Prints the number of rows with uncertain predictions, marked only by "steady=0" in `params`."""
    from nocbench.support.columns import STEADY, changed_values
    from nocbench.support.units import plural

    num_unsteady = sum(changed_values(row["params"]).get(STEADY) == "0" for row in rows)
    if num_unsteady != 0:
        remark(
            f"note: latencies of {plural(num_unsteady, 'row')} with steady=0 are predicted from runs of fewer "
            "transactions, and may be a third off; --whole simulates all of them"
        )


def _swept_of_suite() -> dict[str, tuple[str, ...]]:
    """Returns the swept parameters of each test of a suite; nothing for nocbench's tests, whose axes are columns."""
    from nocbench.points.catalogue import BUILT_IN, in_use

    suite = in_use()
    if suite is BUILT_IN:
        return {}
    return {test.test: test.swept_parameters for arch in suite.architecture_names() for test in suite.list_tests(arch)}


def _print_summary(rows: Sequence[Row]) -> None:
    from nocbench.points.peaks import theoretical_of
    from nocbench.support.columns import COMPILER, HOW_MADE, without_values
    from nocbench.support.tables import print_table
    from nocbench.support.units import format_size

    summed_up = len(rows) > _MAX_ROWS_SHOWN_SINGLY
    # Sum up rows that differ only in shortening or in the suite's swept parameters.
    swept = _swept_of_suite() if summed_up else {}
    left_out = HOW_MADE if summed_up else (COMPILER,)
    rows = [row | {"params": without_values(row["params"], (*left_out, *swept.get(row["test"], ())))} for row in rows]

    def bandwidth_cells(row: Row) -> list[str]:
        bandwidth = row["bandwidth_bytes_per_cycle"]
        return [f"{bandwidth:.2f}", f"{100 * bandwidth / theoretical_of(row):.0f} %"]

    # Show settings if any row has some.
    names = ["arch", "test", "kernel", *(["params"] if any(row["params"] for row in rows) else [])]
    if not summed_up:
        print_table(
            [*names, "transactions", "size", "cycles", "B/cycle", "of maximum", "limiter"],
            [
                [
                    *(row[name] for name in names),
                    row["num_transactions"],
                    format_size(row["transaction_size_bytes"]),
                    f"{row['latency_cycles']:.10g}",
                    *bandwidth_cells(row),
                    row["limiter"],
                ]
                for row in rows
            ],
        )
        return
    tables: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        tables.setdefault(tuple(row[name] for name in names), []).append(row)
    lines = []
    for key, of_table in tables.items():
        best = max(of_table, key=lambda row: row["bandwidth_bytes_per_cycle"])
        where = f"{best['num_transactions']} x {format_size(best['transaction_size_bytes'])}"
        fastest = min(row["latency_cycles"] for row in of_table)
        lines.append([*key, len(of_table), f"{fastest:.10g}", *bandwidth_cells(best), where, best["limiter"]])
    print_table([*names, "points", "least cycles", "best B/cycle", "of maximum", "at", "limiter there"], lines)


def _print_costs(measurements: Measurements) -> None:
    import sys

    from nocbench.running.running_costs import TABLE_COLUMNS, cost_table
    from nocbench.support.tables import print_table

    print_table(TABLE_COLUMNS, cost_table(measurements.costs), file=sys.stderr)


def _compare_with_exact(
    points: Sequence[Point], measurements: Measurements, count: int, engine: Engine, *, whole: bool
) -> ExitStatus:
    """Runs a sample of the fast points exactly, and prints the differences on standard error."""
    import sys

    from nocbench.running.accuracies import ERROR_COLUMNS, error_table, exact, sample_of_fast
    from nocbench.running.execution import run_points
    from nocbench.support.tables import print_table

    positions = sample_of_fast(points, count)
    exactly = run_points([exact(points[position]) for position in positions], engine, whole=whole)
    rows, sentence = error_table(positions, measurements, exactly)
    if rows:
        print_table(ERROR_COLUMNS, rows, file=sys.stderr)
    click.echo(sentence, err=True)
    return _verdict(exactly)


def _verdict(measurements: Measurements) -> ExitStatus:
    from nocbench.running.outcomes import wrong_data_lines

    wrong = wrong_data_lines(measurements.rows, measurements.data_faults)
    for line in wrong:
        click.echo(line, err=True)
    for crash in measurements.crashes:
        click.echo(crash.describe(), err=True)
    if wrong:
        return ExitStatus.NEGATIVE_VERDICT
    return ExitStatus.INCOMPLETE if measurements.crashes else ExitStatus.FINE
