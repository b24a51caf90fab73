"""Shared options, commands that write files, and the writing of result rows and findings."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from nocbench.support.atomic_files import never_replacing, require_replaceable
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from nocbench.checks.allowances import Allowance
    from nocbench.checks.findings import Finding
    from nocbench.points.accuracy import Accuracy
    from nocbench.programs.execution import Machine
    from nocbench.suites.suite import Suite
    from nocbench.support.columns import Row

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class OutputPath(click.Path):
    """Type of parameters that name output files."""


class FileCommand(click.Command):
    """Command that first refuses to overwrite its input files.

    Parameters of the type :class:`OutputPath` name output files. All other parameters that name files name input files.
    """

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command after the check."""
        written = {param.name for param in self.params if isinstance(param.type, OutputPath)}
        given = [path for name, value in ctx.params.items() if name not in written for path in _paths_in(value)]
        with never_replacing(path for path in given if _is_regular(path)):
            for name in written:
                for path in _paths_in(ctx.params.get(name or "")):
                    if _is_regular(path):
                        require_replaceable(path)
            return super().invoke(ctx)


ARGUMENTS = "nocbench.arguments"
"""Key of a program's arguments in click.Context.meta."""


class ProgramCommand(FileCommand):
    """Command that separates the arguments of a program, which follow the first "--"."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Stores the program's arguments, and parses all others."""
        if "--" in args:
            first = args.index("--")
            args, ctx.meta[ARGUMENTS] = args[:first], args[first + 1 :]
        return super().parse_args(ctx, args)


def _paths_in(value: object) -> Iterator[Path]:
    if isinstance(value, (str, Path)):
        yield Path(getattr(value, "path", value))  # an architecture may be named by its file
    elif isinstance(value, tuple):
        for item in value:
            yield from _paths_in(item)


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - the value may be no path
    except (OSError, ValueError):
        return False


def _open_suite(context: click.Context, _parameter: click.Parameter, folder: str | None) -> Suite | None:
    """Opens a suite, and makes its tests the catalogue in use."""
    if folder is None:
        return None
    from nocbench.points.catalogue import using
    from nocbench.suites.suite import Suite

    suite = Suite(folder)
    context.with_resource(using(suite))
    return suite


def _name_architectures(
    _context: click.Context, _parameter: click.Parameter, given: str | tuple[str, ...]
) -> str | tuple[str, ...]:
    """Returns names of architectures, of which some may be given by their files."""
    from nocbench.architectures.files import name_of

    return tuple(map(name_of, given)) if isinstance(given, tuple) else name_of(given)


def _require_names(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Refuses files of architectures: they choose what to run, and results have names only."""
    from nocbench.architectures.files import is_path
    from nocbench.support.errors import InputError

    files = [arch for arch in given if is_path(arch)]
    if files:
        raise InputError(
            f"--arch {files[0]}: expected the name of an architecture, found a file; these commands take one: "
            f"{TAKING_ARCHITECTURE_FILES}"
        )
    return given


def _choose_compiler(context: click.Context, _parameter: click.Parameter, program: str | None) -> None:
    """Makes a program the compiler of all kernels while the command runs."""
    if program is not None:
        from nocbench.compiling.choice import compiled_by
        from nocbench.compiling.toolchain import compiler_path

        context.with_resource(compiled_by(compiler_path(program)))


def _accuracy(_context: click.Context, _parameter: click.Parameter, choice: str) -> Accuracy:
    from nocbench.points.accuracy import Accuracy

    return Accuracy(choice, remark)


def _checks(_context: click.Context, _parameter: click.Parameter, names: str) -> frozenset[str]:
    from nocbench.checks.choice import parse_checks

    return parse_checks(names)


def _checks_of_flows(_context: click.Context, _parameter: click.Parameter, names: str) -> frozenset[str]:
    from nocbench.checks.choice import parse_checks_of_flows

    return parse_checks_of_flows(names)


def print_findings(findings: Iterable[Finding], allowances: Iterable[Allowance] = ()) -> None:
    """Prints findings, and comments that silence some, on standard error."""
    for line in (line for finding in findings for line in finding.lines()):
        click.echo(line, err=True)
    for allowance in allowances:
        click.echo(allowance.describe(), err=True)


def print_warnings(warnings: Iterable[str]) -> None:
    """Prints warnings of kernels on standard error."""
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)


def macros(defines: Sequence[str]) -> dict[str, str | None]:
    """Parses macros in the syntax of -D: "NAME" or "NAME=VALUE"."""
    parts = [text.partition("=") for text in defines]
    return {name: value if equals else "1" for name, equals, value in parts}  # like compilers


def _beginning_with(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    """Returns completions: the names that begin with a text in any case, or files if none does."""
    found = [name for name in dict.fromkeys(names) if name.casefold().startswith(incomplete.casefold())]
    return [CompletionItem(name) for name in found] or [CompletionItem(incomplete, type="file")]


def _chosen_architectures(context: click.Context) -> Sequence[str]:
    from nocbench.points.catalogue import in_use

    chosen = context.params.get("architectures") or context.params.get("arch")
    return ([chosen] if isinstance(chosen, str) else chosen) or in_use().architecture_names()


def _complete_architectures(_context: click.Context, _option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from nocbench.points.catalogue import in_use

    return _beginning_with(incomplete, in_use().architecture_names())


def _complete_boards(context: click.Context, _option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from nocbench.architectures.description import describe_architecture

    archs = _chosen_architectures(context)
    return _beginning_with(incomplete, (board for arch in archs for board in describe_architecture(arch).boards))


def _complete_fields(_context: click.Context, _option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from nocbench.architectures.fields import field_names

    return _beginning_with(incomplete, (f"{name}=" for name in field_names()))


def _complete_axes(context: click.Context, _option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Returns the axes and parameters of the tests that the command line names, or of all."""
    from nocbench.points.selection import select_tests

    named = context.params.get("tests") or context.params.get("test") or ()
    tests = select_tests([named] if isinstance(named, str) else named, architectures=_chosen_architectures(context))
    names = ("num_transactions", "call_size", *(parameter.name for test in tests for parameter in test.parameters))
    return _beginning_with(incomplete, (f"{name}=" for name in names))


def complete_tests(context: click.Context, _argument: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Returns the tests and primitives of the chosen architectures whose names begin with a text."""
    from nocbench.points.catalogue import in_use

    tests = [test for arch in _chosen_architectures(context) for test in in_use().list_tests(arch)]
    return _beginning_with(incomplete, [*(test.test for test in tests), *(test.primitive for test in tests)])


TAKING_ARCHITECTURE_FILES = (
    "list, run, estimate, heatmap, trace, explain, kernel, host, upstream, flows, replay, shmem, optimise"
)
"""Commands with :data:`single_arch` or :data:`architectures`."""
_ARCHITECTURE_FILE_HELP = "Or the path of an architecture file, FILE.yaml; it may be based_on another architecture."
_COMPILER_HELP = (
    "Compiler for 32-bit RISC-V instead of the pinned one: a program in PATH, a path, or 'system' for Debian's "
    "riscv64-unknown-elf-gcc in PATH."
)
compiler: Decorator = click.option("--cc", "compiler", metavar="PROGRAM", help=_COMPILER_HELP)
chosen_compiler: Decorator = click.option(
    "--cc", callback=_choose_compiler, is_eager=True, expose_value=False, metavar="PROGRAM", help=_COMPILER_HELP
)
suite: Decorator = click.option(
    "--suite",
    metavar="DIR",
    callback=_open_suite,
    help="Take, instead of the tests of nocbench, those of the suite in DIR, which 'nocbench init' begins.",
)

jobs: Decorator = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=0),
    metavar="N",
    help="Worker processes; as many as processors by default. 0: run in this process, for debuggers.",
)
no_cache: Decorator = click.option(
    "--no-cache",
    is_flag=True,
    help="Compute all points, also those whose results are kept from earlier runs, and keep no result. "
    "$NOCBENCH_NO_CACHE does the same.",
)
board: Decorator = click.option(
    "--board",
    default="",
    metavar="B",
    shell_complete=_complete_boards,
    help="Board; the architecture's default board otherwise.",
)
assignments: Decorator = click.option(
    "-a",
    "assignments",
    multiple=True,
    shell_complete=_complete_axes,
    metavar="AXIS=VALUES",
    help="Values of an axis (num_transactions, call_size) or of a parameter of the test, separated by commas. Sizes "
    "may have units; ranges read first:last:xFACTOR or first:last:+STEP. Several cores are in brackets: (1,1),(2,2).",
)
single_assignments: Decorator = click.option(
    "-a",
    "assignments",
    multiple=True,
    shell_complete=_complete_axes,
    metavar="AXIS=VALUE",
    help="Value of an axis (num_transactions, call_size) or of a parameter of the test. Sizes may have units.",
)
settings: Decorator = click.option(
    "--set",
    "settings",
    multiple=True,
    shell_complete=_complete_fields,
    metavar="FIELD=VALUES",
    help="Change a field of the board or architecture, such as router.hop_cycles or board.harvested_rows. Several "
    "values, separated by commas or as a range like those of -a, sweep it: all points run with each of them.",
)
single_settings: Decorator = click.option(
    "--set",
    "settings",
    multiple=True,
    shell_complete=_complete_fields,
    metavar="FIELD=VALUE",
    help="Change a field of the board or architecture, such as router.hop_cycles or board.harvested_rows.",
)
accuracy: Decorator = click.option(
    "--accuracy",
    callback=_accuracy,
    type=click.Choice(["exact", "fast", "auto"]),
    default="exact",
    show_default=True,
    help="Simulate the NoCs of a Tenstorrent chip flit by flit (exact), or packet by packet (fast), which takes less "
    "time and is a few percent off under contention. auto takes fast only above a second of exact work, and says so.",
)


def _checks_of_kernels(default: str) -> Decorator:
    return click.option(
        "--check",
        "checks",
        callback=_checks,
        default=default,
        show_default=True,
        metavar="NAMES",
        help="Check beside the timing, which does not change: memcheck finds transfers over the end of a buffer; "
        "racecheck accesses to the same bytes that nothing orders, even where this run was lucky; initcheck reads of "
        "bytes that nobody has written; synccheck wrong counts. Several names are separated by commas; or all, or none "
        "(docs/checks.md).",
    )


checks = _checks_of_kernels("memcheck,synccheck")
checks_of_host_programs = _checks_of_kernels("memcheck")  # synccheck finds mistakes that a card runs
checks_of_points: Decorator = click.option(
    "--check",
    "checks",
    callback=_checks,
    default="none",
    show_default=True,
    metavar="NAMES",
    help="Run each point once more with its kernels compiled, and check it: memcheck, racecheck, initcheck, synccheck "
    "or all (docs/checks.md).",
)
checks_of_flows: Decorator = click.option(
    "--check",
    "checks",
    callback=_checks_of_flows,
    default="none",
    show_default=True,
    metavar="NAMES",
    help="Check beside the timing: synccheck finds uses of DRAM by which a card may hang (docs/checks.md).",
)
single_arch: Decorator = click.option(
    "--arch",
    shell_complete=_complete_architectures,
    callback=_name_architectures,
    default="",
    metavar="A",
    help=f"Architecture; not needed if --board says which. {_ARCHITECTURE_FILE_HELP}",
)
architectures: Decorator = click.option(
    "--arch",
    "architectures",
    shell_complete=_complete_architectures,
    callback=_name_architectures,
    multiple=True,
    metavar="A",
    help=f"Architecture; may be given several times. {_ARCHITECTURE_FILE_HELP}",
)
only_architectures: Decorator = click.option(
    "--arch",
    "architectures",
    shell_complete=_complete_architectures,
    callback=_require_names,
    multiple=True,
    metavar="A",
    help="Only this architecture; may be repeated.",
)
only_tests: Decorator = click.option(
    "--test", "patterns", multiple=True, metavar="TEST", help="Only this test (name or glob); may be repeated."
)


cycles_max: Decorator = click.option(
    "--cycles-max",
    "--max-cycles",
    "cycles_max",
    type=click.IntRange(1, 10**15),
    metavar="N",
    help="Give up after so many cycles of modeled time; 2,000,000,000 by default.",
)
include_directories: Decorator = click.option(
    "-I", "include_directories", multiple=True, metavar="DIRECTORY", help="Look for headers there, too."
)
defines: Decorator = click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro.")
optimization: Decorator = click.option(
    "-O",
    "--optimization",
    "optimization",
    default="",
    metavar="LEVEL",
    help="Optimization of the compiler, such as 0, 3, s or -Os; 2 by default.",
)
as_json: Decorator = click.option("--json", "as_json", is_flag=True, help="Write JSON to standard output.")
reference: Decorator = click.option(
    "--reference",
    "reference_files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Published measurements to compare with; may be given several times. By default all that come with nocbench.",
)
results_arguments: Decorator = click.argument(
    "results_files", metavar="[RESULTS]...", nargs=-1, type=click.Path(path_type=Path, dir_okay=False)
)


def single_machine(arch: str, board: str, settings: Sequence[str]) -> Machine:
    """Returns the chosen machine. Raises click.UsageError without a choice, and InputError if there is none."""
    from nocbench.points.axes import parse_choices
    from nocbench.programs.targets import machines_for

    _, fields = parse_choices((), settings)
    machines = machines_for(None, arch, board, fields)
    if len(machines) > 1:
        raise click.UsageError(f"--arch: expected {' or '.join(machine.arch for machine in machines)}, found none")
    return machines[0]


def write_rows(rows: Sequence[Row], path: Path) -> None:
    """Writes result rows to a file, with the running revision, and reports the file on standard error."""
    from nocbench.results.result_files import write_results
    from nocbench.support.revision import revision

    write_results([{**row, "revision": revision()} for row in rows], path)
    remark(f"wrote {len(rows)} result rows to {path}")
