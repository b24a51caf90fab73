"""``nocbench upstream``."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nocbench.host.building import HostCompileError
    from nocbench.host.running import HostRun
    from nocbench.host.upstream import Suite, TestOutcome


@click.command(cls=FileCommand, short_help="Run tt-metal's own data-movement suite.", options_metavar="[OPTIONS]")
@click.argument("checkout", metavar="CHECKOUT", type=click.Path(path_type=Path, file_okay=False))
@options.single_arch
@options.board
@options.single_settings
@options.compiler
@options.cycles_max
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
@options.as_json
def command(
    checkout: Path,
    arch: str,
    board: str,
    settings: tuple[str, ...],
    compiler: str | None,
    cycles_max: int | None,
    checks: frozenset[str],
    gtest_filter: str,
    output: Path,
    as_json: bool,
) -> int:
    """Compile the data-movement suite in a checkout of tt-metal, as it is, and run it on a modeled chip.

    A table compares each test with the suite's bound of its bandwidth and with published measurements. DIR gets
    ARCH/NAME.csv, the suite's reports; rows.csv, result rows; and profile_log_device.csv, as the profiler writes it,
    from which the suite's own Python checks bounds and draws plots.

    Sources that do not compile are left out and named. The exit status is 1 if a gtest fails or a check finds
    something.

    \b
    Examples:
      nocbench upstream ../tt-metal --arch blackhole
      nocbench upstream ../tt-metal --arch wormhole_b0 \\
        --gtest_filter='*OneToOne*' -o out
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.compiling.toolchain import compiler_path
    from nocbench.host.profiler import ZONES
    from nocbench.host.running import HostOptions, run_host_program
    from nocbench.host.upstream import find_suite, gtest_outcomes
    from nocbench.programs.execution import CYCLES_MAX
    from nocbench.support.atomic_files import make_directory

    suite = find_suite(checkout)
    machine = options.single_machine(arch, board, settings)
    make_directory(output)
    with tempfile.TemporaryDirectory(prefix="nocbench-upstream-") as folder:
        report = Path(folder) / "gtests.json"
        asked = HostOptions(
            arguments=(f"--gtest_filter={gtest_filter}", f"--gtest_output=json:{report}", "--gtest_brief=1"),
            checks=checks,
            cycles_max=cycles_max or CYCLES_MAX,
            timed_zones=ZONES,
            compiler=compiler_path(compiler),
        )
        unusable: list[HostCompileError] = []
        try:
            with _standard_output_to_error() if as_json else nullcontext():
                run = run_host_program(suite.request, machine, asked, unusable=unusable)
        finally:  # the rest may need what is in them
            for error in unusable:
                click.echo(f"left out: {error}", err=True)
        gtests = gtest_outcomes(report)
    return _finish(run, gtests, suite, output, checks, as_json=as_json)


@contextmanager
def _standard_output_to_error() -> Iterator[None]:
    """Makes what C++ code prints to standard output go to standard error."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _finish(
    run: HostRun, gtests: Mapping[str, str], suite: Suite, output: Path, checks: frozenset[str], *, as_json: bool
) -> int:
    from nocbench.checks.allowances import judged
    from nocbench.host.profiler import LOG_NAME, write_log
    from nocbench.host.upstream import outcomes_of
    from nocbench.support.progress import remark

    outcomes, silent = outcomes_of(suite, run, gtests, output)
    findings, allowances = judged(run.checked, checks)
    options.write_rows(run.rows, output / "rows.csv")
    write_log(run.programs, run.machine.arch, output / LOG_NAME)
    failed = sorted(name for name, kind in gtests.items() if kind == "failed")
    if as_json:
        _print_json(outcomes, gtests, run.warnings, [finding.values() for finding in findings])
    else:
        _print_table(outcomes)
        options.print_warnings(run.warnings)
        options.print_findings(findings, allowances)
    counts = ", ".join(f"{list(gtests.values()).count(kind)} {kind}" for kind in ("passed", "failed", "skipped"))
    remark(f"{len(gtests)} gtests: {counts}; {len(run.programs):,} programs")
    if silent:
        remark(f"without a measurement: {', '.join(silent)}")
    for outcome in (outcome for outcome in outcomes if outcome.not_compared):
        remark(f"not compared with published measurements: {outcome.name}: {outcome.not_compared}")
    for name in failed:
        click.echo(f"failed: {name}", err=True)
    if run.failure:
        click.echo(f"error: {run.failure}", err=True)
        return ExitStatus.BAD_INPUT
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
    outcomes: Sequence[TestOutcome], gtests: Mapping[str, str], warnings: Sequence[str], findings: Sequence[object]
) -> None:
    import json
    from dataclasses import asdict

    whole = {
        "tests": [asdict(outcome) for outcome in outcomes],
        "gtests": gtests,
        "warnings": warnings,
        "findings": findings,
    }
    click.echo(json.dumps(whole, indent=2))
