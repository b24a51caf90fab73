"""Output of --help on a terminal of 80 columns: whole words, short lines, and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from nocbench.command_line import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

OPENINGS = ("of", "what", "which", "whether", "where", "why", "who", "the", "it", "its", "instead", "that", "those")
"""Words that open a clause or point at something: a help text begins with a verb or with a noun."""


def commands(name: str, command: click.Command, parent: click.Context | None) -> Iterator[tuple[str, click.Command]]:
    """Yields a command and those inside it, with their names."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name, parent=parent)
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from commands(f"{name} {inner}", found, context)


ALL = dict(commands("nocbench", cli, None))


def help_of(name: str, width: int) -> str:
    return ALL[name].get_help(click.Context(ALL[name], info_name=name, terminal_width=width, max_content_width=width))


@pytest.mark.parametrize("name", ALL)
def test_lines_fit_and_words_are_whole(name: str) -> None:
    narrow = help_of(name, 80)
    assert [line for line in narrow.splitlines() if len(line) > 80] == []
    assert narrow.split() == help_of(name, 200).split()


@pytest.mark.parametrize("name", ALL)
def test_options_are_described_by_a_verb_or_a_noun(name: str) -> None:
    for parameter in ALL[name].params:
        if isinstance(parameter, click.Option):
            text = parameter.help or ""
            assert text.endswith("."), f"{parameter.opts}: {text}"
            first = text.split()[0].strip(",:;").lower()
            assert first not in OPENINGS, f"{parameter.opts}: {text}"
            assert len(text.split()) > 1, f"{parameter.opts}: {text}"
