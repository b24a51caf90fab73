"""``nocbench host``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import ARGUMENTS, OutputPath, ProgramCommand
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.checks.findings import Finding
    from nocbench.host.running import EnqueuedProgram, HostRun
    from nocbench.points.accuracy import Accuracy


def _print_flags(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        import shlex

        from nocbench.host.building import flags

        click.echo(shlex.join(flags()))
        context.exit()


@click.command(
    cls=ProgramCommand,
    short_help="Run a tt-metal program: host code and kernels.",
    options_metavar="[OPTIONS]",
)
@click.option(
    "--flags",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_flags,
    help="Print the compiler flags for programs that another build compiles to a shared library, and exit.",
)
@click.argument("files", metavar="PROGRAM.cpp... [-- ARGUMENTS]", nargs=-1)
@options.include_directories
@options.defines
@options.single_arch
@options.board
@options.single_settings
@options.compiler
@options.cycles_max
@options.accuracy
@options.checks_of_host_programs
@click.option("--timed", "zones", multiple=True, metavar="ZONE", help="Time this zone of kernels that have it.")
@click.option(
    "--replace",
    "replacements",
    multiple=True,
    metavar="KERNEL.cpp=FILE.cpp",
    help="Run another kernel in place of one, such as a stand-in for one below the compute API. Several may be given.",
)
@click.option("--programs", type=click.IntRange(0), default=1, show_default=True, help="Describe this many programs.")
@click.option(
    "-o", "--output", type=OutputPath(), metavar="FILE", help="Write the result rows to FILE, .csv or .parquet."
)
@options.as_json
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    include_directories: tuple[str, ...],
    defines: tuple[str, ...],
    arch: str,
    board: str,
    settings: tuple[str, ...],
    compiler: str | None,
    cycles_max: int | None,
    accuracy: Accuracy,
    checks: frozenset[str],
    zones: tuple[str, ...],
    replacements: tuple[str, ...],
    programs: int,
    output: str | None,
    as_json: bool,
) -> int:
    """Compile a program that was written for tt-metal, and run it: host code here, kernels on a modeled chip.

    The program needs no change and no tt-metal: nocbench has the headers. It may also be a shared library, PROGRAM.so.
    Its kernels are looked for in the current folder, in $TT_METAL_HOME, and in the folder of the program and those
    above. The arguments of the program follow --. Each program that it enqueues has a result row per kernel; the first
    of them are described as by nocbench kernel. The exit status is that of the program; 1 if that is 0 and checks have
    found something; 2 if the program does not compile, uses what is not modeled, or fails.

    \b
    Examples:
      nocbench host examples/host/loopback.cpp --arch blackhole
      nocbench host test_one_to_one.cpp dm_common.cpp --arch wormhole_b0 \\
        -o rows.csv -- --gtest_filter=*PacketSizes
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.compiling.toolchain import compiler_path
    from nocbench.host.building import HostRequest
    from nocbench.host.running import HostOptions, run_host_program
    from nocbench.programs.execution import CYCLES_MAX

    if not files:
        raise click.UsageError("expected the sources of a program, found none")
    if output is not None:
        from nocbench.results.result_files import require_writable

        require_writable(Path(output))
    machine = options.single_machine(arch, board, settings).at_accuracy(accuracy, lambda: None)
    request = HostRequest(
        sources=tuple(Path(file) for file in files),
        include_directories=tuple(Path(directory) for directory in include_directories),
        defines=options.macros(defines),
    )
    asked = HostOptions(
        arguments=tuple(context.meta.get(ARGUMENTS, ())),
        checks=checks,
        cycles_max=cycles_max or CYCLES_MAX,
        timed_zones=zones,
        compiler=compiler_path(compiler),
        replacements=dict(map(_replacement, replacements)),
    )

    def finish(run: HostRun) -> int:
        from nocbench.checks.allowances import judged

        findings, allowances = judged(run.checked, checks)
        if as_json:
            _print_json(run, findings)
        else:
            _print(run, programs)
            options.print_findings(findings, allowances)
        if output is not None:
            options.write_rows(run.named_rows(files[0], asked.arguments), Path(output))
        if run.failure:
            click.echo(f"error: {run.failure}", err=True)
            return ExitStatus.BAD_INPUT
        return run.status or (ExitStatus.NEGATIVE_VERDICT if findings else ExitStatus.FINE)

    return finish(run_host_program(request, machine, asked, finish))


def _replacement(text: str) -> tuple[str, Path]:
    kernel, equals, file = text.partition("=")
    if not (kernel and equals):
        raise click.UsageError(f"--replace: expected KERNEL.cpp=FILE.cpp, found '{text}'")
    if not Path(file).is_file():
        raise click.UsageError(f"--replace: {file}: no such file")
    return kernel, Path(file)


def _print(run: HostRun, num_described: int) -> None:
    from nocbench.programs.report import describe
    from nocbench.support.progress import remark
    from nocbench.support.units import plural

    for program in run.programs[:num_described]:
        click.echo(f"program {program.runtime_id}, {program.result['elapsed_cycles']:,} cycles")
        for line in describe(program):
            click.echo(line)
    options.print_warnings(run.warnings)
    if len(run.programs) > num_described:
        remark(f"{plural(len(run.programs), 'program')} ran; described: {num_described}")


def _print_json(run: HostRun, findings: Sequence[Finding]) -> None:
    import json

    from nocbench.programs.report import kernels_to_json

    def described(program: EnqueuedProgram) -> dict[str, object]:
        return {
            "runtime_id": program.runtime_id,
            "rows": program.rows,
            "elapsed_cycles": program.result["elapsed_cycles"],
            "kernels": kernels_to_json(program),
            "warnings": program.warnings,
        }

    whole = {
        "status": run.status,
        "failure": run.failure,
        "programs": [described(one) for one in run.programs],
        "findings": [finding.values() for finding in findings],
    }
    click.echo(json.dumps(whole, indent=2))
