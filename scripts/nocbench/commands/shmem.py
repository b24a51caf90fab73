"""``nocbench shmem``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import ARGUMENTS, OutputPath, ProgramCommand
from nocbench.support.exit_status import ExitStatus
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nocbench.openshmem.request import ShmemRequest
    from nocbench.openshmem.result import Printed, ShmemResult

_ADDRESS_BITS = 32


class _Address(click.ParamType[int]):
    name = "address"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parses an address in C notation."""
        try:
            address = int(str(value), 0)
        except ValueError:
            address = -1
        if not 0 <= address < 1 << _ADDRESS_BITS:
            self.fail(f"expected an address of {_ADDRESS_BITS} bits, as 0x400 or 1024, found '{value}'", param, ctx)
        return address


@click.command(
    cls=ProgramCommand,
    short_help="Run a program for OpenSHMEM on modeled cores of an Epiphany.",
    options_metavar="[OPTIONS]",
)
@click.argument("files", metavar="PROGRAM.c... [-- ARGUMENTS]", nargs=-1)
@click.option("-n", "--num-pes", type=int, metavar="PES", help="Number of PEs; as many as there are cores by default.")
@options.include_directories
@options.defines
@options.optimization
@click.option(
    "--origin", type=_Address(), default="0x400", show_default=True, metavar="ADDR", help="Address of the program."
)
@click.option(
    "--heap-start",
    type=_Address(),
    default="0",
    metavar="ADDR",
    help="Address of the heap; behind the program by default.",
)
@click.option("--wand-barrier", is_flag=True, help="Use the wired AND of the chip for shmem_barrier_all.")
@click.option("--get-by-interrupt", is_flag=True, help="Interrupt the owner of the data by longer gets.")
@click.option(
    "--get-by-interrupt-above",
    type=click.IntRange(0, 1 << 31),
    default=64,
    show_default=True,
    metavar="BYTES",
    help="Longest get that does not interrupt.",
)
@click.option("--bump-heap", is_flag=True, help="Use the heap of the paper: a free moves its end to the block.")
@click.option(
    "--warn-overrun",
    "warns_of_overruns",
    is_flag=True,
    help="Warn of transfers beyond a block of the heap or a variable, and go on, instead of ending the program.",
)
@click.option(
    "--algorithms",
    type=click.Choice(("paper", "later")),
    default="paper",
    show_default=True,
    help="Algorithms of the library where public versions differ: those of the paper, or those since 2017.",
)
@click.option("--no-routine-code", is_flag=True, help="Count no memory for the code of the library's routines.")
@options.single_arch
@options.board
@options.single_settings
@options.compiler
@options.cycles_max
@click.option("--tag", is_flag=True, help="Begin each line of output with its PE: [3].")
@click.option("--lines", is_flag=True, help="Say where the cycles of the slowest PE went by source line.")
@click.option(
    "-o", "--output", type=OutputPath(), metavar="FILE", help="Write the result row to FILE, .csv or .parquet."
)
@click.option(
    "--heatmap", type=OutputPath(), metavar="FILE", help="Draw the run on the floor plan to FILE, .png or .svg."
)
@click.option(
    "--trace",
    type=OutputPath(),
    metavar="FILE",
    help="Write the run as a timeline for Perfetto to FILE, .json or .json.gz.",
)
@options.as_json
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    num_pes: int | None,
    include_directories: tuple[str, ...],
    defines: tuple[str, ...],
    optimization: str,
    origin: int,
    heap_start: int,
    wand_barrier: bool,
    get_by_interrupt: bool,
    get_by_interrupt_above: int,
    bump_heap: bool,
    warns_of_overruns: bool,
    algorithms: str,
    no_routine_code: bool,
    arch: str,
    board: str,
    settings: tuple[str, ...],
    compiler: str | None,
    cycles_max: int | None,
    tag: bool,
    lines: bool,
    output: str | None,
    heatmap: str | None,
    trace: str | None,
    as_json: bool,
) -> int:
    """Compile a program for OpenSHMEM in C11 or C++17, and run it on modeled processing elements (PEs).

    Lines that the PEs print appear while the program runs, in the order of modeled time. How long that took, what the
    slowest PE waited for, and what memory the program takes is on standard error. The exit status is that of the
    program; it is 2 if the program does not compile, or does not end: after a fault, or if PEs wait for what never
    comes. Ctrl-C ends the run with the source line of each PE, and exit status 130.

    \b
    Examples:
      nocbench shmem hello.c -n 16
      nocbench shmem pi.c timer.c -n 4 -I include -D DIGITS=6 --lines -- 100000
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.compiling.shmem_program import ShmemProgramRequest
    from nocbench.compiling.toolchain import compiler_path
    from nocbench.openshmem.request import ARCHITECTURE, LibraryOptions, ShmemRequest
    from nocbench.points.axes import parse_choices
    from nocbench.programs.execution import CYCLES_MAX, Machine
    from nocbench.programs.program_file import optimization as level

    if not files:
        raise click.UsageError("expected the sources of a program, found none")
    program = ShmemProgramRequest(
        sources=tuple(Path(file) for file in files),
        include_directories=tuple(Path(directory) for directory in include_directories),
        defines=options.macros(defines),
        optimization=level(optimization or "2"),
        origin=origin,
        compiler=compiler_path(compiler),
    )
    library = LibraryOptions(
        algorithms=algorithms,
        wand_barrier=wand_barrier,
        get_by_interrupt=get_by_interrupt,
        get_by_interrupt_above_bytes=get_by_interrupt_above,
        bump_heap=bump_heap,
        warns_of_overruns=warns_of_overruns,
        heap_start=heap_start,
        charges_routines=not no_routine_code,
    )
    _, fields = parse_choices((), settings)
    request = ShmemRequest(
        program=program,
        machine=Machine(arch or ARCHITECTURE, board, tuple(fields)),
        num_pes=num_pes,
        arguments=tuple(context.meta.get(ARGUMENTS, ())),
        library=library,
        cycles_max=cycles_max or CYCLES_MAX,
    )
    paths = {"output": output, "heatmap": heatmap, "trace": trace}
    _require_writable(paths)
    result = _run(request, has_trace=trace is not None, prints=not as_json, tag=tag)
    if as_json:
        _print_json(result)
    else:
        _print_complaints(result)
        _print_summary(result, lines=lines)
    _write(result, paths)
    if result.was_interrupted:
        return ExitStatus.INTERRUPTED
    return ExitStatus.BAD_INPUT if result.exit_status is None else result.exit_status


def _run(request: ShmemRequest, *, has_trace: bool, prints: bool, tag: bool) -> ShmemResult:
    """Runs the program; prints the compiler's messages, and if `prints`, its output as it comes."""
    from nocbench.one_point.trace_events import DEFAULT_MAX_EVENTS, max_records_for
    from nocbench.openshmem.execution import run_shmem_program
    from nocbench.openshmem.result import OutputLines

    output = OutputLines()

    def print_lines(lines: Iterable[Printed]) -> None:
        for line in lines:
            text = b"[%d] %s\n" % (line.pe, line.text.removesuffix(b"\n")) if tag else line.text
            click.echo(text, nl=False, err=line.stream == "stderr")

    result = run_shmem_program(
        request,
        trace_records=max_records_for(DEFAULT_MAX_EVENTS) if has_trace else 0,
        compiled_with=lambda messages: click.echo(messages, err=True, nl=False),
        print_piece=(lambda piece: print_lines(output.add(piece))) if prints else None,
    )
    print_lines(output.rest())
    return result


def _require_writable(paths: Mapping[str, str | None]) -> None:
    """Raises InputError unless all requested files can be written."""
    from nocbench.drawing.pictures import require_picture_name
    from nocbench.one_point.trace_events import require_trace_name
    from nocbench.results.result_files import require_writable

    for name, require in (
        ("output", require_writable),
        ("heatmap", require_picture_name),
        ("trace", require_trace_name),
    ):
        path = paths[name]
        if path is not None:
            require(Path(path))


def _print_complaints(result: ShmemResult) -> None:
    sys.stdout.flush()
    options.print_warnings(result.warnings)
    if result.error:
        click.echo(f"error: {result.error}", err=True)


def _print_summary(result: ShmemResult, *, lines: bool) -> None:
    from nocbench.openshmem.report import describe

    for said in describe(result, lines=lines):
        remark(said)


def _print_json(result: ShmemResult) -> None:
    import json

    from nocbench.openshmem.report import to_json

    click.echo(json.dumps(to_json(result), indent=2))


def _write(result: ShmemResult, paths: Mapping[str, str | None]) -> None:
    """Writes the requested files; for a program that did not end, only the timeline."""
    from nocbench.commands.trace import write_events

    if paths["trace"] is not None and result.trace is not None:
        write_events(result.trace, result.point(), result.machine.board, paths["trace"])
    if result.error:
        return
    if paths["heatmap"] is not None:
        from nocbench.one_point.heat_map import heat_map_of
        from nocbench.one_point.heat_map_drawing import write_heat_map
        from nocbench.running.details import details_of

        write_heat_map(heat_map_of(details_of(result.point(), result.point_result())), Path(paths["heatmap"]))
        remark(f"wrote {paths['heatmap']}")
    if paths["output"] is not None:
        options.write_rows(result.rows, Path(paths["output"]))
