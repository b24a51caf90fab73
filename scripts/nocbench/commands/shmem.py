"""``nocbench shmem``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nocbench.openshmem.running import ShmemResult

_LINES_SHOWN = 10
_BASES = {"0x100": 0x100, "0x400": 0x400}


def _address(_context: click.Context, parameter: click.Parameter, text: str | None) -> int:
    if text is None:
        return 0
    try:
        return int(text, 0)
    except ValueError:
        raise click.BadParameter(f"expected an address, found '{text}'", param=parameter) from None


@click.command(
    short_help="Compile an OpenSHMEM program, and run it on the cores of an Epiphany.",
    context_settings={"ignore_unknown_options": False},
)
@click.argument("files", metavar="PROGRAM.c... [-- ARGUMENT...]", nargs=-1, type=click.UNPROCESSED, required=True)
@click.option("-n", "num_pes", type=click.IntRange(min=1), default=16, show_default=True, metavar="PES", help="PEs.")
@click.option("-I", "include_directories", multiple=True, metavar="DIRECTORY", help="Look for headers there, too.")
@click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro.")
@click.option("-O", "optimization", default="2", metavar="LEVEL", help="Optimization: 0, 1, 2, 3 or s; 2 if not given.")
@click.option("--origin", type=click.Choice(list(_BASES)), default="0x400", help="Where programs begin; bare: 0x100.")
@click.option("--heap-start", callback=_address, metavar="ADDRESS", help="Where the heap begins; behind the program.")
@click.option("--bump-heap", is_flag=True, help="The heap is a pointer that only goes up, as in the paper.")
@click.option("--wand-barrier", is_flag=True, help="shmem_barrier_all by the wired AND of all cores.")
@click.option("--get-by-interrupt", is_flag=True, help="Long gets are puts by the owner, whom they interrupt.")
@click.option(
    "--get-by-interrupt-above", type=click.IntRange(min=0), default=64, metavar="BYTES", help="From there on; 64."
)
@click.option("--later-algorithms", is_flag=True, help="Those of the library's last public version, not the paper's.")
@click.option("--free-routines", is_flag=True, help="Routines of the library take no memory of the core.")
@options.board
@options.single_settings
@click.option("--max-cycles", type=click.IntRange(min=1), metavar="N", help="Give up after so many cycles.")
@click.option("--cc", "compiler", metavar="PROGRAM", help="Compiler for 32-bit RISC-V.")
@click.option("--tag", is_flag=True, help="Begin each line of output with the PE that printed it.")
@click.option("--quiet", is_flag=True, help="Print nothing but the program's output.")
@options.as_json
def command(
    files: tuple[str, ...],
    num_pes: int,
    include_directories: tuple[str, ...],
    defines: tuple[str, ...],
    optimization: str,
    origin: str,
    heap_start: int,
    bump_heap: bool,
    wand_barrier: bool,
    get_by_interrupt: bool,
    get_by_interrupt_above: int,
    later_algorithms: bool,
    free_routines: bool,
    board: str,
    settings: tuple[str, ...],
    max_cycles: int | None,
    compiler: str | None,
    tag: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Compile a program for OpenSHMEM 1.3, run it on the modeled Epiphany-III, and say where its cycles went.

    Sources in C or C++ are compiled as they are. What stands behind -- and is no source are arguments of the program.
    Output comes in the order of modeled time. The exit status is 0 if that of the program is.

    \b
    Examples:
      nocbench shmem hello.c
      nocbench shmem -n 4 --tag main.c grid.c -I include -D SIZE=16 -- --steps 10
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.openshmem.running import CYCLES_MAX, LibraryOptions, ShmemRequest, run
    from nocbench.points.axes import parse_choices

    sources, arguments = _split(files)
    macros: dict[str, str | None] = {}
    for text in defines:
        name, equals, value = text.partition("=")
        macros[name] = value if equals else None
    _, fields = parse_choices((), settings)
    result = run(
        ShmemRequest(
            sources=tuple(map(Path, sources)),
            num_pes=num_pes,
            arguments=arguments,
            include_directories=tuple(map(Path, include_directories)),
            defines=macros,
            optimization=f"-O{optimization.removeprefix('-O')}",
            origin=_BASES[origin],
            compiler=None if compiler is None else Path(compiler),
            board=board,
            settings=tuple(fields),
            library=LibraryOptions(
                algorithms="later" if later_algorithms else "paper",
                wand_barrier=wand_barrier,
                get_by_interrupt=get_by_interrupt,
                get_by_interrupt_above_bytes=get_by_interrupt_above,
                bump_heap=bump_heap,
                heap_start=heap_start,
                charges_routines=not free_routines,
            ),
            cycles_max=max_cycles or CYCLES_MAX,
        )
    )
    if as_json:
        _print_json(result)
    else:
        _print_output(result, tag)
        if not quiet:
            for line in _summary(result, num_pes):
                click.echo(line, err=True)
    if result.error:
        click.echo(f"error: {result.error}", err=True)
        return ExitStatus.BAD_INPUT
    return ExitStatus.FINE if result.exit_status == 0 else ExitStatus.NEGATIVE_VERDICT


def _split(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sources, and arguments: click takes `--` away, so these begin with the first word that is no source."""
    suffixes = {".c", ".cc", ".cpp", ".cxx", ".C", ".s", ".S"}
    number = 0
    while number < len(words) and Path(words[number]).suffix in suffixes:
        number += 1
    if number == 0:
        raise click.UsageError(f"expected sources, as PROGRAM.c, found '{words[0]}'")
    return words[:number], words[number:]


def _print_output(result: ShmemResult, tag: bool) -> None:
    if not tag:
        for piece in result.printed:
            click.echo(piece.text, nl=False, err=piece.stream == "stderr")
        return
    unfinished: dict[tuple[int, str], str] = {}
    for piece in result.printed:
        key = (piece.pe, piece.stream)
        *lines, rest = (unfinished.get(key, "") + piece.text).split("\n")
        for line in lines:
            click.echo(f"[{piece.pe}] {line}", err=piece.stream == "stderr")
        unfinished[key] = rest
    for (pe, stream), line in sorted(unfinished.items()):
        if line:
            click.echo(f"[{pe}] {line}", err=stream == "stderr")


def _summary(result: ShmemResult, num_pes: int) -> Iterator[str]:
    if result.messages:
        yield result.messages.rstrip()
    for warning in result.warnings:
        yield f"warning: {warning}"
    ended = "did not end" if result.exit_status is None else f"exit status {result.exit_status}"
    yield (
        f"{num_pes} PEs, {ended}, {result.cycles:,.10g} cycles ({result.microseconds:,.6g} us), "
        f"{result.instructions:,} instructions"
    )
    memory = result.memory
    yield (
        f"  memory of each core: {memory['image_bytes']:,} B of program, {memory['routine_bytes']:,} B of routines, "
        f"{memory['heap_bytes_max']:,} B of heap, of {memory['memory_bytes']:,} B"
    )
    total = sum(result.waits.values()) or 1.0
    shares = ", ".join(f"{cause} {cycles / total:.0%}" for cause, cycles in result.waits.items() if cycles)
    yield f"  cycles by cause: {shares}"
    for line in result.lines[:_LINES_SHOWN]:
        yield f"  {line.share:>6.1%}  {line.cycles:>14,.10g}  {line.place}"


def _print_json(result: ShmemResult) -> None:
    import json
    from dataclasses import asdict

    entries = asdict(result)
    entries.pop("point")
    entries["cores"] = result.point["cores"]
    click.echo(json.dumps(entries, indent=2))
