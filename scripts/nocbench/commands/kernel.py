"""``nocbench kernel``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nocbench.checks.perturbation import Difference
    from nocbench.points.accuracy import Accuracy
    from nocbench.programs.execution import Machine, ProgramRun
    from nocbench.programs.program import CardImage, CompilerOptions, ProgramDescription
    from nocbench.programs.source_programs import Given
    from nocbench.reports.findings_page import CheckedRun


@click.command(cls=FileCommand, short_help="Run kernels of your own, and say where their cycles went.")
@click.argument("files", metavar="PROGRAM.yaml|FILE.cpp...", nargs=-1)
@click.option("--elf", "elf_files", multiple=True, metavar="FILE", help="Kernel compiled for the card, not FILE.cpp.")
@click.option(
    "--firmware", "firmware_files", multiple=True, metavar="FILE", help="ELF file with its firmware's symbols."
)
@options.single_arch
@options.board
@click.option("-a", "assignments", multiple=True, metavar="NAME=VALUE", help="Value of a parameter of the program.")
@options.single_settings
@options.accuracy
@click.option("--core", "cores", multiple=True, metavar="X,Y", help="Core of FILE.cpp; 0,0 if none is given.")
@click.option("--riscv", type=click.IntRange(0, 1), metavar="0|1", help="RISC of FILE.cpp; two files take both.")
@click.option("--noc", type=click.IntRange(0, 1), metavar="0|1", help="NoC of FILE.cpp; the RISC's number otherwise.")
@click.option("--arg", "runtime_args", multiple=True, metavar="WORD", help="Next run-time argument, as 'address NAME'.")
@click.option("--common-arg", "common_args", multiple=True, metavar="WORD", help="Next common run-time argument.")
@click.option(
    "--compile-time-arg", "compile_time_args", multiple=True, metavar="WORD", help="Next compile-time argument."
)
@click.option("--region", "regions", multiple=True, metavar="NAME=BYTES", help="Part of L1 of every core.")
@click.option("--tensor", "tensors", multiple=True, metavar="NAME=PAGESxBYTES[:l1]", help="Interleaved pages in DRAM.")
@click.option("--buffer", "buffers", multiple=True, metavar="ID=PAGESxBYTES[:FORMAT]", help="Circular buffer.")
@click.option("--semaphores", type=click.IntRange(0, 16), default=0, metavar="N", help="Number of semaphores.")
@click.option("--timed", default="", metavar="ZONE", help="Time this zone of FILE.cpp instead of all of it.")
@options.include_directories
@options.defines
@options.optimization
@options.compiler
@click.option(
    "--tt-metal", metavar="PATH", help="Use the headers of this checkout of tt-metal, or unpacked ttnn wheel."
)
@options.cycles_max
@options.checks
@click.option("--sarif", type=OutputPath(), metavar="FILE", help="Write the findings of checks for code reviews.")
@click.option(
    "--html", type=OutputPath(), metavar="FILE", help="Write the findings of checks as a page, with time lines."
)
@click.option("--perturb", type=click.IntRange(1), metavar="N", help="Run N times with seeded delays, and compare.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, metavar="S", help="First of these seeds.")
@click.option(
    "-o", "--output", type=OutputPath(), metavar="FILE", help="Write the result rows to FILE, .csv or .parquet."
)
@options.as_json
def command(
    files: tuple[str, ...],
    elf_files: tuple[str, ...],
    firmware_files: tuple[str, ...],
    arch: str,
    board: str,
    assignments: tuple[str, ...],
    settings: tuple[str, ...],
    accuracy: Accuracy,
    cores: tuple[str, ...],
    riscv: int | None,
    noc: int | None,
    runtime_args: tuple[str, ...],
    common_args: tuple[str, ...],
    compile_time_args: tuple[str, ...],
    regions: tuple[str, ...],
    tensors: tuple[str, ...],
    buffers: tuple[str, ...],
    semaphores: int,
    timed: str,
    include_directories: tuple[str, ...],
    defines: tuple[str, ...],
    optimization: str,
    compiler: str | None,
    tt_metal: str | None,
    cycles_max: int | None,
    checks: frozenset[str],
    sarif: str | None,
    html: str | None,
    perturb: int | None,
    seed: int,
    output: str | None,
    as_json: bool,
) -> int:
    """Compile kernels that were written for the device, run them on the modeled chip, and say where their cycles went.

    A program file says which kernels run on which cores with which arguments, what is in memory before, and what must
    be there after; docs/kernels.md has all of it. Without --arch a program runs on each chip that kernels are compiled
    for. A single kernel needs no file: its arguments and what they name are options. A kernel that was compiled for the
    card runs as it is, after --elf.

    \b
    Examples:
      nocbench kernel examples/copy.yaml --arch blackhole -a pages=64
      nocbench kernel examples/copy.cpp --arch wormhole_b0 \\
        --compile-time-arg 16 --compile-time-arg 64 \\
        --region source=1KiB --region target=1KiB \\
        --arg "address source" --arg "address target" --arg "x 1 1" --arg "y 1 1"
      nocbench kernel --elf brisc/brisc.elf --arch blackhole \\
        --region source=4KiB --arg "address source"
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.checks.allowances import judged
    from nocbench.checks.sarif import repository_of
    from nocbench.checks.time_line import TRACE_RECORDS
    from nocbench.points.axes import parse_choices
    from nocbench.programs.execution import CYCLES_MAX, Watch, WatchedRunError, run_program
    from nocbench.programs.program_file import is_program_file
    from nocbench.programs.source_programs import Given
    from nocbench.reports.findings_page import CheckedRun

    results_path = None if output is None else Path(output)
    if results_path is not None:
        from nocbench.results.result_files import require_writable

        require_writable(results_path)
    axes, fields = parse_choices(assignments, settings)
    given = Given(
        cores=cores,
        riscv=riscv,
        noc=noc,
        compile_time_args=compile_time_args,
        runtime_args=runtime_args,
        common_args=common_args,
        regions=regions,
        tensors=tensors,
        buffers=buffers,
        num_semaphores=semaphores,
        timed=timed,
    )
    images = _images(files, elf_files, firmware_files)
    files = files or elf_files
    are_programs = {is_program_file(file) for file in files}
    if len(are_programs) > 1:
        raise click.UsageError("expected program files, or sources of kernels, found both")
    if are_programs == {True} and given != Given():
        raise click.UsageError("--core, --riscv, --arg and the like are for FILE.cpp; a program file says all that")
    if are_programs == {False} and axes:
        raise click.UsageError("-a sets a parameter of a program file; FILE.cpp has none")
    compiling = _options(include_directories, defines, optimization, compiler, tt_metal)
    if images:
        _require_no_compiling(given, compiling)
    runs: list[ProgramRun] = []
    differences: list[Difference | None] = []
    checked: list[CheckedRun] = []
    root = None if sarif is None else repository_of(Path(files[0]).parent)
    limit = cycles_max or CYCLES_MAX
    for program, machine in _programs(files, given, (arch, board, fields), axes, compiling, images):
        on = machine.at_accuracy(accuracy, lambda: None)
        title = f"{program.name} on {machine.describe()}"
        records = TRACE_RECORDS if html is not None else 0
        try:
            run = run_program(program, on, cycles_max=limit, watch=Watch(checks), trace_records=records)
        except WatchedRunError as fault:
            checked.append(CheckedRun(title, *judged([fault.checked], checks), None))
            options.print_findings(checked[-1].findings, checked[-1].allowances)
            _write_findings(checked, checks, sarif, root, html)
            raise
        runs.append(run)
        checked.append(CheckedRun(title, *judged([run.checked], checks), run))
        if not as_json:
            _print(run)
            options.print_findings(checked[-1].findings, checked[-1].allowances)
        if perturb is not None:
            differences.append(_perturbed(program, on, perturb, seed, limit))
    if as_json:
        _print_json(runs, checked, differences)
    _write_findings(checked, checks, sarif, root, html)
    if results_path is not None:
        options.write_rows([row for run in runs for row in run.rows], results_path)
    is_fine = all(run.data_ok for run in runs) and not any(one.findings for one in checked) and not any(differences)
    return ExitStatus.FINE if is_fine else ExitStatus.NEGATIVE_VERDICT


def _programs(
    files: Sequence[str],
    given: Given,
    where: tuple[str, str, Sequence[tuple[str, str]]],
    assignments: Mapping[str, str],
    compiling: CompilerOptions,
    images: Sequence[CardImage],
) -> Iterator[tuple[ProgramDescription, Machine]]:
    from nocbench.programs.program_file import is_program_file, read_program, with_options
    from nocbench.programs.source_programs import program_of_sources
    from nocbench.programs.targets import machines_for

    if is_program_file(files[0]):
        for file in files:
            for machine in machines_for(Path(file), *where):
                yield with_options(read_program(Path(file), machine, assignments), compiling), machine
    else:
        for machine in machines_for(None, *where):
            yield program_of_sources([Path(file) for file in files], given, machine, compiling, images), machine


def _images(files: Sequence[str], elf_files: Sequence[str], firmware_files: Sequence[str]) -> list[CardImage]:
    """Returns the options of each kernel that was compiled for the card; none if kernels are compiled here."""
    from nocbench.programs.program import CardImage

    if not files and not elf_files:
        raise click.UsageError("expected a program file, sources of kernels, or --elf, found none of these")
    if files and elf_files:
        raise click.UsageError("--elf stands in the place of PROGRAM.yaml or FILE.cpp, found both")
    if len(firmware_files) not in (0, len(elf_files)):
        raise click.UsageError(
            f"--firmware: expected one for each of {len(elf_files)} --elf, or none, found {len(firmware_files)}"
        )
    if not firmware_files:
        return [CardImage() for _ in elf_files]
    return [CardImage(Path(file)) for file in firmware_files]


def _require_no_compiling(given: Given, compiling: CompilerOptions) -> None:
    for option, value in (
        ("--tt-metal", compiling.tt_metal),
        ("--optimization", compiling.optimization),
        ("-D", compiling.defines),
        ("-I", compiling.include_directories),
        ("--compile-time-arg", given.compile_time_args),
    ):
        if value:
            raise click.UsageError(f"{option} is for kernels that are compiled; that of --elf was compiled before")


def _options(
    include_directories: Sequence[str],
    defines: Sequence[str],
    optimization: str,
    compiler: str | None,
    tt_metal: str | None,
) -> CompilerOptions:
    from nocbench.compiling.toolchain import compiler_path
    from nocbench.programs.program import CompilerOptions
    from nocbench.programs.program_file import optimization as level

    return CompilerOptions(
        include_directories=tuple(Path(directory) for directory in include_directories),
        defines=options.macros(defines),
        optimization=level(optimization) if optimization else "",
        compiler=compiler_path(compiler),
        tt_metal=None if tt_metal is None else Path(tt_metal),
    )


def _print(run: ProgramRun) -> None:
    from nocbench.programs.report import describe

    for line in describe(run):
        click.echo(line)
    options.print_warnings(run.warnings)
    if run.fault:
        click.echo(f"wrong data on {run.machine.describe()}: {run.fault}", err=True)


def _perturbed(
    program: ProgramDescription, machine: Machine, num_runs: int, seed: int, cycles_max: int
) -> Difference | None:
    from nocbench.checks.perturbation import perturb
    from nocbench.support.progress import remark

    difference = perturb(program, machine, num_runs, seed, cycles_max)
    if difference is None:
        remark(f"{num_runs} runs with delays on {machine.describe()}: memory and results are the same")
    else:
        for line in difference.lines():
            click.echo(line, err=True)
    return difference


def _write_findings(
    checked: Sequence[CheckedRun], checks: frozenset[str], sarif: str | None, root: Path | None, html: str | None
) -> None:
    from nocbench.checks.sarif import to_sarif
    from nocbench.reports.findings_page import render_findings_page
    from nocbench.support.atomic_files import write_text

    if sarif is not None and root is not None:
        write_text(Path(sarif), to_sarif([finding for one in checked for finding in one.findings], root))
    if html is not None:
        write_text(Path(html), render_findings_page(checked, sorted(checks)))


def _print_json(
    runs: Sequence[ProgramRun], checked: Sequence[CheckedRun], differences: Sequence[Difference | None]
) -> None:
    import json

    from nocbench.programs.report import to_json

    described = [
        to_json(run)
        | {
            "findings": [finding.values() for finding in one.findings],
            "allowed": [allowance.describe() for allowance in one.allowances],
        }
        for run, one in zip(runs, checked, strict=True)
    ]
    for values, difference in zip(described, differences, strict=False):
        values["difference"] = None if difference is None else difference.values()
    click.echo(json.dumps(described, indent=2))
