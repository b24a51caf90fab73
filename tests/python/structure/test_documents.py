"""Commands in documents: extraction, comparison, and detection of wrong ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(CHECKOUT / "tests" / "documents"))

from document_blocks import Command, DocumentError, File, Instruction, read_document  # noqa: E402
from document_runs import Outcome, is_harmless, run_document  # noqa: E402
from option_faults import parse_fault  # noqa: E402
from shown_outputs import is_like  # noqa: E402 - programs, not a package


def commands_of(text: str) -> list[Command]:
    return [item for item in read_document("page.md", text) if isinstance(item, Command)]


def outcomes_of(text: str, folder: Path) -> list[Outcome]:
    return list(run_document(list(read_document("page.md", text)), folder, timeout_seconds=60))


def test_commands_of_a_shell() -> None:
    found = commands_of("# Title\n\n```sh\nnocbench list  # all\n# a remark\n\nnocbench run 4 \\\n    -o x.csv\n```\n")
    assert [(command.line, command.text, command.output) for command in found] == [
        (4, "nocbench list  # all", None),
        (7, "nocbench run 4 -o x.csv", None),
    ]


def test_commands_with_output() -> None:
    found = commands_of("```console\n$ nocbench a\nfirst\n\nsecond\n\n$ nocbench b\n```\n\n```\nno command\n```\n")
    assert [(command.text, command.output) for command in found] == [
        ("nocbench a", "first\n\nsecond"),
        ("nocbench b", None),
    ]


def test_programs_files_and_blocks_in_lists() -> None:
    text = "<!-- file: a.cpp -->\n```cpp\nint x;\n```\n- item\n\n  ```python\n  import nocbench\n  ```\n"
    file, program = read_document("page.md", text)
    assert file == File("a.cpp", "int x;\n")
    assert program == Command("page.md", 8, "import nocbench", is_python=True)


def test_markers() -> None:
    block = "```sh\n.venv/bin/nocbench run 4\nnocbench run 4 --costs\nnocbench list\n```\n"
    first, second, third = commands_of(
        f"<!-- run:\nnocbench run: in small; status 3\nnocbench run 4 --costs: not run, it takes hours\n-->\n{block}"
    )
    assert first.instruction == Instruction(in_small=True, status=3)
    assert second.instruction == Instruction(not_run="it takes hours")
    assert third.instruction == Instruction()
    assert {command.instruction.not_run for command in commands_of(f"<!-- not run: a card -->\n{block}")} == {"a card"}
    assert {command.instruction.instead for command in commands_of(f"<!-- run: as a; b -->\n{block}")} == {"a; b"}
    by_star = commands_of(f"<!-- run:\n*: in small\nnocbench list: status 0\n-->\n{block}")
    assert [command.instruction.in_small for command in by_star] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- run: at night -->\n```sh\nnocbench list\n```\n", "page.md:2: 'at night': expected 'in small', "),
        ("<!-- run: in small -->\n\nText.\n\n```sh\nnocbench list\n```\n", "is not right before a block"),
        ("<!-- run:\nnocbench rnu: in small\n-->\n```sh\nnocbench run\n```\n", "'nocbench rnu' is for no command"),
    ],
)
def test_markers_that_say_nothing(text: str, message: str) -> None:
    with pytest.raises(DocumentError) as error:
        commands_of(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("shown", "printed", "is_right"),
    [
        ("a 1,391 b", "a  1,391\nb\n", True),
        ("a 1,391 b", "a 1,394 b", False),
        ("a 1,391", "a 1,391 b", False),
        ("a ... b", "a 1 2\n3 b", True),
        ("a\n…\nb ...", "a x b y", True),
        ("a ... b", "a x c", False),
        ("| a... |", "| abc |", True),
    ],
)
def test_comparison(shown: str, printed: str, is_right: bool) -> None:
    assert is_like(shown, printed) == is_right


def test_what_a_command_prints_is_compared(tmp_path: Path) -> None:
    right, wrong, failing = outcomes_of(
        "<!-- run: as echo 12 cycles -->\n```console\n$ nocbench a\n12 cycles\n```\n"
        "<!-- run: as echo 13 cycles -->\n```console\n$ nocbench a\n12 cycles\n```\n"
        "<!-- run: as false -->\n```console\n$ nocbench a\n```\n",
        tmp_path,
    )
    assert (right.fault, right.is_compared) == ("", True)
    assert "it prints something else than is shown:\n13 cycles" in wrong.fault
    assert "expected exit status 0, found 1" in failing.fault


def test_commands_share_a_folder_and_find_files(tmp_path: Path) -> None:
    (outcome,) = outcomes_of(
        "<!-- file: sub/a.txt -->\n```text\nhello\n```\n"
        "<!-- run: as cat sub/a.txt -->\n```console\n$ cat\nhello\n```\n",
        tmp_path,
    )
    assert outcome.fault == ""


def test_other_programs_need_a_marker(tmp_path: Path) -> None:
    (outcome,) = outcomes_of("```sh\nrm -rf something\n```\n", tmp_path)
    assert "a marker has to say how" in outcome.fault
    assert is_harmless("nocbench a && .venv/bin/nocbench b")
    assert not is_harmless("nocbench a && git commit")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("nocbench run --costs -o results.csv", ""),
        ("nocbench run --cots", "--cots"),
        ("nocbench rnu", "no such command: rnu"),
        ("nocbench etherbone serve --udp 99999", "99999 is not in the range"),
        ('nocbench run "4', "no command line"),
        ("nocbench gate --base main && git commit", ""),
    ],
)
def test_what_is_not_run_is_parsed(text: str, fault: str) -> None:
    found = parse_fault(Command("page.md", 1, text, Instruction(not_run="a reason")))
    assert fault in found if fault else found == ""


def test_every_document_can_be_read() -> None:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split():
        list(read_document(name, (CHECKOUT / name).read_text()))
