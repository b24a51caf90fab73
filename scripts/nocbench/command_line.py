"""The command line: the group of all commands, and its exit statuses."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import NoReturn

import click

from nocbench.support.errors import NocbenchError
from nocbench.support.exit_status import ExitStatus
from nocbench.support.lazy_group import LazyGroup

_COMMANDS = (
    *("list", "run", "merge", "plot", "accuracy", "kernel", "host", "flows", "optimise", "replay"),
    *("shmem", "etherbone", "estimate", "heatmap", "trace", "explain", "compare", "check", "gate", "accept"),
    *("report", "site", "serve", "roofline", "history", "init", "upstream"),
)
"""Names of the commands. Module or package NAME in nocbench.commands defines the command NAME as `command`."""
_COMPLETION_VARIABLE = "_NOCBENCH_COMPLETE"


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from nocbench.support.revision import describe

    click.echo(describe())
    ctx.exit()


@click.group(
    cls=LazyGroup.of("nocbench.commands", _COMMANDS),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog=(
        "Exit status: 0 fine; 1 a verdict is negative (a bound is missed, wrong data); 2 bad usage or bad input; "
        "3 the evidence is incomplete (nothing matched, a point is missing or crashed); 4 refused, not comparable."
    ),
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Print the version and the revision.",
)
def cli() -> None:
    """Performance tests of data movement on modeled tile-based processors.

    \b
    Example:
      nocbench list --arch wormhole_b0
      nocbench run "One to One*" --arch wormhole_b0 -o results.csv
      nocbench plot results.csv
    """  # noqa: D301 - click reads the \b as "do not wrap"


def main(arguments: list[str] | None = None) -> NoReturn:
    """Runs the command line and exits with one of :class:`nocbench.support.exit_status.ExitStatus`.

    `click.Command.main` is not used: it exits with 1 after a broken pipe or Ctrl-C, and here 1 means a negative
    verdict. The caller, :mod:`nocbench.__main__`, handles Ctrl-C.
    """
    if _COMPLETION_VARIABLE in os.environ:  # a shell asks for completions
        _complete()
    _open_closed_streams()
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _give_up_standard_output()
        status = ExitStatus.BROKEN_PIPE
    except Exception as error:  # exit status 1 means a negative verdict, and must not report a bug
        if isinstance(error, OSError) and _is_standard_output_lost():
            _give_up_standard_output()
            click.echo(f"error: standard output cannot be written: {error.strerror}", err=True)
            status = ExitStatus.BAD_INPUT
        else:
            import traceback

            traceback.print_exc()
            click.echo("error: this is a mistake in nocbench, not in its input", err=True)
            status = ExitStatus.INCOMPLETE
    sys.exit(int(status))


def _complete() -> NoReturn:
    """Answers a shell that asks for completions."""
    from click.shell_completion import BashComplete, add_completion_class

    class Bash(BashComplete):
        """Completion in bash, where names with spaces are quoted unless the word begins with a quotation mark."""

        source_template = BashComplete.source_template.replace(
            "COMPREPLY+=($value)",
            """[[ ${COMP_WORDS[COMP_CWORD]} == [\\'\\"]* ]] || printf -v value %%q "$value"; COMPREPLY+=("$value")""",
        )

    add_completion_class(Bash, "bash")
    with contextlib.suppress(NocbenchError):  # of what is typed so far, such as a suite that does not exist
        cli.main(prog_name="nocbench", complete_var=_COMPLETION_VARIABLE)
    sys.exit(int(ExitStatus.FINE))


def _open_closed_streams() -> None:
    """Replaces closed standard streams (``nocbench list >&-``), which Python represents by None.

    Afterwards, writing to standard output fails as on a full disk, and no other file gets the stream's descriptor.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115 - open until the program ends
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115


def _is_standard_output_lost() -> bool:
    """Returns True if standard output can no longer be written; otherwise writes a line end beside the traceback.

    Flushing alone does not detect a lost stream, since unwritten text may have been discarded.
    """
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _give_up_standard_output() -> None:
    """Discards unwritten output. At exit, Python flushes standard output again, and that flush must not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _option_without_value(error: click.ClickException, arguments: list[str]) -> click.Option | None:
    """Returns the option that an error finds missing, or given without a value."""
    parameter = error.param if isinstance(error, click.MissingParameter) else None
    if isinstance(error, click.BadOptionUsage):  # it has no context
        command = cli.get_command(click.Context(cli), next((word for word in arguments if word[:1] != "-"), ""))
        options = command.params if command is not None else []
        parameter = next((one for one in options if error.option_name in one.opts), None)
    return parameter if isinstance(parameter, click.Option) else None


def _run(arguments: list[str]) -> int:
    try:
        with cli.make_context("nocbench", arguments) as context:
            return int(cli.invoke(context) or ExitStatus.FINE)
    except click.exceptions.Exit as request:  # --help and --version
        return request.exit_code
    except click.ClickException as error:
        error.show()
        if (option := _option_without_value(error, arguments)) is not None:
            click.echo(f"  {'  '.join(option.get_help_record(click.Context(cli)) or ())}", err=True)
        return error.exit_code
    except NocbenchError as error:
        click.echo(f"error: {error}", err=True)
        return int(error.exit_status)
