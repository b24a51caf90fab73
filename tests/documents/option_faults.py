"""Checks the options of a `nocbench` command line without running it."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import click

from nocbench.command_line import cli
from nocbench.support.errors import NocbenchError

if TYPE_CHECKING:
    from document_blocks import Command

_PLACEHOLDER = re.compile(r"\s\.\.\.(?=\s|$)")


def parse_fault(command: Command) -> str:
    """Returns the error that `nocbench` would report for the options of a command that is not run; empty if none."""
    if command.is_python or not command.instruction.not_run:
        return ""
    try:
        parts = _split(_PLACEHOLDER.sub("", command.text))
    except ValueError as error:
        return f"no command line: {error}"
    for words in parts:
        if words and words[0].rpartition("/")[2] == "nocbench" and (fault := _fault_of(words[1:])):
            return fault
    return ""


def _split(text: str) -> list[list[str]]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars="&|;<>")
    lexer.whitespace_split = True
    parts: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set("&|;"):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _fault_of(arguments: list[str]) -> str:
    group: click.Command = cli
    context = click.Context(cli)
    while isinstance(group, click.Group):
        found = group.get_command(context, arguments[0]) if arguments else None
        if found is None:
            return f"no such command: {' '.join(arguments[:1])}"
        group, arguments = found, arguments[1:]
    try:
        group.make_context(str(group.name), list(arguments)).close()
    except (click.exceptions.Exit, NocbenchError):  # --help, or a missing file
        return ""
    except click.UsageError as error:
        return error.format_message()
    return ""
