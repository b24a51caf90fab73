"""Commands do not overwrite their input files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from nocbench.command_line import cli
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.atomic_files import never_replacing, write_text
from nocbench.support.errors import InputError
from nocbench.support.lazy_group import LazyGroup

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parents[3]
FLOWS = REPOSITORY / "examples" / "flows" / "reshard.csv"
RESULTS = REPOSITORY / "tests" / "gate" / "quick.csv"
COMMANDS = {
    "optimise": (FLOWS, "optimise {given} --vary noc -o {written}"),
    "flows": (FLOWS, "flows {given} -o {written}"),
    "heatmap": (FLOWS, "heatmap {given} -o {written}"),
    "trace": (FLOWS, "trace {given} -o {written}"),
    "merge": (RESULTS, "merge {given} -o {written}"),
    "report": (RESULTS, "report {given} --export bencher -o {written}"),
    "report, the baseline": (RESULTS, "report {results} --baseline {given} -o {written}"),
    "accept": (RESULTS, "accept {given} --baseline {written} --reason none"),
    "kernel": (FLOWS, "kernel {given} -o {written}"),
    "replay": (FLOWS, "replay {given} -o {written}"),
    "shmem": (FLOWS, "shmem {given} --trace {written}"),
}


def commands(group: LazyGroup, *above: str) -> Iterator[tuple[str, click.Command]]:
    with click.Context(group) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if isinstance(command, LazyGroup):
                yield from commands(command, *above, name)
            elif command is not None:
                yield " ".join((*above, name)), command


def test_every_command_that_writes_files_says_so() -> None:
    assert isinstance(cli, LazyGroup)
    for name, command in commands(cli):
        for param in command.params:
            if "--output" in param.opts or "--record" in param.opts:
                assert isinstance(param.type, OutputPath), f"{name}: {param.name}"
        if any(isinstance(param.type, OutputPath) for param in command.params):
            assert isinstance(command, FileCommand), name


def links(given: Path, how: str) -> Path:
    other = given.with_name(f"{how}{given.suffix}")
    if how == "symbolic":
        other.symlink_to(given.name)
    elif how == "hard":
        other.hardlink_to(given)
    elif how == "dotted":
        return given.parent / "." / ".." / given.parent.name / given.name
    else:
        return given
    return other


@pytest.mark.parametrize("how", ["same", "symbolic", "hard", "dotted"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_read_is_not_written_over(tmp_path: Path, command: str, how: str) -> None:
    original, line = COMMANDS[command]
    given = tmp_path / "given.csv"
    given.write_bytes(original.read_bytes())
    written = links(given, how)
    before = sorted(tmp_path.iterdir())
    result = CliRunner().invoke(
        cli, [word.format(given=given, written=written, results=RESULTS) for word in line.split()]
    )
    assert isinstance(result.exception, InputError), result.output
    assert int(result.exception.exit_status) == 2
    assert str(result.exception) == f"{written}: expected another file to write to, found one that this command reads"
    assert given.read_bytes() == original.read_bytes()
    assert sorted(tmp_path.iterdir()) == before


def test_also_where_only_the_writer_knows_the_name(tmp_path: Path) -> None:
    given = tmp_path / "README.md"
    given.write_text("kept")
    with never_replacing([given]):
        with pytest.raises(InputError, match="found one that this command reads"):
            write_text(tmp_path / "README.md", "lost")
        write_text(tmp_path / "other.md", "new")
    assert given.read_text() == "kept"
    write_text(given, "changed later")
    assert given.read_text() == "changed later"
