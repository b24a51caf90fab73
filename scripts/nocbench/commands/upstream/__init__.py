"""``nocbench upstream``."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.host.building import HostCompileError
    from nocbench.host.gtests import GtestRun
    from nocbench.host.running import HostRun
    from nocbench.host.upstream import Suite, TestOutcome
    from nocbench.points.accuracy import Accuracy


@click.command(cls=FileCommand, short_help="Run tt-metal's own data-movement suite.", options_metavar="[OPTIONS]")
@click.argument("checkout", metavar="CHECKOUT", type=click.Path(path_type=Path, file_okay=False))
@options.single_arch
@options.board
@options.single_settings
@options.compiler
@options.cycles_max
@options.accuracy
@options.checks_of_host_programs
@click.option(
    "--gtest_filter", "gtest_filter", default="*", metavar="PATTERN", help="Gtests to run, as of Google Test."
)
@click.option(
    "-o",
    "--output",
    type=OutputPath(path_type=Path, file_okay=False),
    default=Path("upstream"),
    show_default=True,
    metavar="DIR",
    help="Folder for reports, result rows and the profiler's file.",
)
@options.jobs
@options.as_json
def command(
    checkout: Path,
    arch: str,
    board: str,
    settings: tuple[str, ...],
    compiler: str | None,
    cycles_max: int | None,
    accuracy: Accuracy,
    checks: frozenset[str],
    gtest_filter: str,
    output: Path,
    jobs: int | None,
    as_json: bool,
) -> int:
    """Compile the data-movement suite in a checkout of tt-metal, as it is, and run it on a modeled chip.

    A table compares each test with the suite's bound of its bandwidth and with published measurements. DIR gets
    ARCH/NAME.csv, the suite's reports; rows.csv, result rows; and profile_log_device.csv, as the profiler writes it,
    from which the suite's own Python checks bounds and draws plots.

    Each gtest runs on its own, as many at a time as there are processors; a program's run ID is its number in the order
    of gtests. After Ctrl-C, those that have ended count. Sources that do not compile are left out and named. The output
    of gtests that fail is printed at the end. The exit status is 1 if a gtest fails or a check finds something.

    \b
    Examples:
      nocbench upstream ../tt-metal --arch blackhole
      nocbench upstream ../tt-metal --arch wormhole_b0 \\
        --gtest_filter='*OneToOne*' -o out
      nocbench upstream ../tt-metal --arch blackhole --accuracy fast
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.compiling.toolchain import compiler_path
    from nocbench.host.gtests import GtestProgram, joined, run_gtests
    from nocbench.host.profiler import ZONES
    from nocbench.host.running import HostOptions, build_for
    from nocbench.host.upstream import find_suite
    from nocbench.programs.execution import CYCLES_MAX
    from nocbench.running.engines import make_engine
    from nocbench.support.atomic_files import make_directory
    from nocbench.support.progress import ProgressReport

    suite = find_suite(checkout)
    machine = options.single_machine(arch, board, settings).at_accuracy(accuracy, lambda: None)
    asked = HostOptions(
        checks=checks,
        cycles_max=cycles_max or CYCLES_MAX,
        timed_zones=ZONES,
        compiler=compiler_path(compiler),
    )
    unusable: list[HostCompileError] = []
    try:
        library = build_for(machine, suite.request, asked, unusable)
    finally:  # the rest may need what is in them
        for error in unusable:
            click.echo(f"left out: {error}", err=True)
    with tempfile.TemporaryDirectory(prefix="nocbench-upstream-") as folder:
        file = Path(folder) / "suite.so"
        file.write_bytes(library)
        program = GtestProgram(file, suite.request, machine, asked)
        names = program.names(gtest_filter)
        make_directory(output)
        engine = make_engine(jobs, len(names))
        announcement = f"running {plural(len(names), 'gtest')} on {machine.describe()} in {engine.description}"
        with ProgressReport(announcement, "gtests", len(names)) as progress:
            gtests = run_gtests(program, names, engine, is_captured=jobs != 0 or as_json, on_progress=progress.update)
    status = _finish(joined(machine, gtests), gtests, suite, output, checks, as_json=as_json)
    if len(gtests) < len(names):
        click.echo(f"interrupted: {plural(len(names) - len(gtests), 'gtest')} left out", err=True)
        return ExitStatus.INTERRUPTED
    return status


def _finish(
    run: HostRun, gtests: Sequence[GtestRun], suite: Suite, output: Path, checks: frozenset[str], *, as_json: bool
) -> int:
    from nocbench.checks.allowances import judged
    from nocbench.host.gtests import FAILED
    from nocbench.host.profiler import LOG_NAME, write_log
    from nocbench.host.upstream import ids_in, outcomes_of
    from nocbench.support.progress import remark

    outcomes = outcomes_of(suite, run, gtests, output)
    findings, allowances = judged(run.checked, checks)
    options.write_rows(run.rows, output / "rows.csv")
    write_log(run.programs, run.machine.arch, output / LOG_NAME)
    failed = [gtest for gtest in gtests if gtest.outcome == FAILED]
    if as_json:
        _print_json(outcomes, gtests, run.warnings, [finding.values() for finding in findings])
    else:
        _print_table(outcomes)
        options.print_warnings(run.warnings)
        options.print_findings(findings, allowances)
    kinds = [gtest.outcome for gtest in gtests]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("passed", "failed", "skipped"))
    remark(f"{plural(len(gtests), 'gtest')}: {counts}; {plural(len(run.programs), 'program')}")
    if silent := [gtest.name for gtest in gtests if gtest.outcome == "passed" and not ids_in(gtest)]:
        remark(f"passed without a measurement: {', '.join(silent)}")
    if not_compared := [outcome.name for outcome in outcomes if outcome.not_compared]:
        remark(f"not compared with published measurements, for reasons that --json gives: {', '.join(not_compared)}")
    for board in sorted({outcome.other_board for outcome in outcomes} - {""}):
        theirs = ", ".join(outcome.name for outcome in outcomes if outcome.other_board == board)
        remark(f"published measurements of another board, with which --board {board} compares: {theirs}")
    for gtest in failed:
        click.echo(f"failed: {gtest.name}" + (f":\n{gtest.words.rstrip()}" if gtest.words else ""), err=True)
    return ExitStatus.NEGATIVE_VERDICT if failed or findings else ExitStatus.FINE


def _print_table(outcomes: Sequence[TestOutcome]) -> None:
    from nocbench.support.tables import print_table

    def share(outcome: TestOutcome) -> str:
        if outcome.least_of_bound is None:
            return ""
        return f"{outcome.least_of_bound:.0%}" + ("" if outcome.keeps_bounds else " below")

    print_table(
        ("id", "test", "points", "gtests", "of bound", "published", "median error"),
        [
            (
                outcome.test_id,
                outcome.name,
                outcome.points,
                ", ".join(f"{number} {kind}" for kind, number in sorted(outcome.gtests.items())),
                share(outcome),
                outcome.silicon or "",
                "" if outcome.median_error_percent is None else f"{outcome.median_error_percent:.2f} %",
            )
            for outcome in outcomes
        ],
    )


def _print_json(
    outcomes: Sequence[TestOutcome], gtests: Sequence[GtestRun], warnings: Sequence[str], findings: Sequence[object]
) -> None:
    import json
    from dataclasses import asdict

    whole = {
        "tests": [asdict(outcome) for outcome in outcomes],
        "gtests": {gtest.name: gtest.outcome for gtest in gtests},
        "warnings": warnings,
        "findings": findings,
    }
    click.echo(json.dumps(whole, indent=2))
