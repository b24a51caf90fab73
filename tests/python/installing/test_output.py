"""Output of commands besides results: --quiet, --verbose, NO_COLOR and --json."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from conftest import environment

from nocbench import command_line
from nocbench.support import progress

if TYPE_CHECKING:
    from conftest import CommandLine

ROOT = Path(__file__).parents[3]
RUN = ("run", "Loopback Packet Sizes", "--arch", "blackhole", "--tier", "quick")
COLOR = re.compile(r"\x1b\[[\d;]*?(3[0-8]|4[0-8]|9[0-7])[;\dm]")


@pytest.fixture
def results(run_here: CommandLine, tmp_path: Path) -> Path:
    path = tmp_path / "results.csv"
    assert run_here(*RUN, "-j0", "-o", path).status == 0
    return path


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet_leaves_out_notes_and_progress(run_here: CommandLine, tmp_path: Path, option: str) -> None:
    said = run_here(*RUN, "-j0", "-o", tmp_path / "said.csv")
    quiet = run_here(*RUN, "-j0", option, "-o", tmp_path / "quiet.csv")
    assert (quiet.status, quiet.out, quiet.err) == (0, said.out, "")
    assert re.search(r"wrote \d+ result rows", said.err)
    assert not progress._is_quiet, "only as long as the command runs"


def test_quiet_leaves_errors_in(run_here: CommandLine) -> None:
    done = run_here("run", "Lopback Packet Sizes", "--quiet")
    assert done.status != 0
    assert "did you mean 'Loopback Packet Sizes'" in done.err


def test_quiet_prints_only_what_a_program_prints(run_program: CommandLine) -> None:
    ring = ROOT / "examples/shmem/ring.c"
    assert run_program("shmem", ring, "-n", "2", "--quiet").err == ""
    assert "ring on epiphany_iii" in run_program("shmem", ring, "-n", "2").err


def test_verbose_says_what_is_compiled(run_program: CommandLine) -> None:
    arguments = ("kernel", ROOT / "examples/copy.yaml", "--arch", "wormhole_b0", "-O", "1")
    said = run_program(*arguments, "--verbose").err
    assert re.search(r"^ *\d+ ms \S*copy\.cpp: \S+gcc .*-O1", said, re.MULTILINE)
    again = run_program(*arguments, "-v").err
    assert re.search(r"^ *\d+ ms taken: .*\.kernel$", again, re.MULTILINE)
    assert "gcc" not in again
    assert " ms " not in run_program(*arguments).err


def test_all_commands_have_both_options() -> None:
    for name in command_line._COMMANDS:
        command = command_line.cli.get_command(click.Context(command_line.cli), name)
        assert command is not None
        if not isinstance(command, click.Group):
            assert [sum(option in one.opts for one in command.params) for option in ("--quiet", "-q", "-v")] == [
                1,
                1,
                1,
            ]


@pytest.mark.parametrize(("variables", "has_colors"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colors_on_a_terminal(variables: dict[str, str], has_colors: bool) -> None:
    bar = (
        "import time; from nocbench.support import progress; progress._SHOW_BAR_AFTER_SECONDS = 0\n"
        "with progress.ProgressReport('running', 'points', 3) as report:\n"
        "    for done in range(3): time.sleep(0.2); report.update(done)\n"
    )
    terminal, end = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", bar], stdout=end, stderr=end, env=environment() | {"TERM": "xterm-256color"} | variables
    ):
        os.close(end)
        text = ""
        try:
            while piece := os.read(terminal, 65536):
                text += piece.decode()
        except OSError:  # the other end is closed
            pass
    os.close(terminal)
    assert "points" in text
    assert bool(COLOR.search(text)) == has_colors


def test_a_merge_in_json(run_here: CommandLine, results: Path, tmp_path: Path) -> None:
    done = run_here("merge", results, "-o", tmp_path / "merged.csv", "--json")
    rows = len(results.read_text().splitlines()) - 1
    assert json.loads(done.out) == {
        "output": str(tmp_path / "merged.csv"),
        "num_rows": rows,
        "missing": [],
        "is_complete_known": False,
    }
    assert run_here("merge", results, "-o", "-", "--json").status == 2


def test_an_acceptance_in_json(run_here: CommandLine, results: Path, tmp_path: Path) -> None:
    accept = ("accept", results, "--baseline", tmp_path / "baseline.csv", "--reason", "because", "--json")
    rows = len(results.read_text().splitlines()) - 1
    first = json.loads(run_here(*accept).out)
    assert first == {
        "baseline": str(tmp_path / "baseline.csv"),
        "reasons": str(tmp_path / "baseline.reasons.md"),
        "num_rows": rows,
        "num_rows_before": 0,
        "num_kept": 0,
        "changed": [],
    }
    head, row, *rest = (tmp_path / "baseline.csv").read_text().splitlines()
    cells = row.split(",")
    cells[head.split(",").index("latency_cycles")] = "1"
    (tmp_path / "baseline.csv").write_text("\n".join([head, ",".join(cells), *rest, ""]))
    (changed,) = json.loads(run_here(*accept).out)["changed"]
    assert (changed["verdict"], changed["base"]["latency_cycles"]) == ("slower", 1.0)


def test_decoded_messages_in_json(run_in_process: CommandLine) -> None:
    words = ["4e6f1044", "a80f0001", "00008000", "00010010"]
    done = run_in_process("etherbone", "decode", "--json", *words)
    (message,) = json.loads(done.out)
    assert (done.status, message["is_whole"], message["num_bytes"]) == (0, True, 16)
    assert [record["read_addresses"] for record in message["records"]] == [[0x10010]]
    cut = run_in_process("etherbone", "decode", "--json", *words[:3])
    assert (cut.status, json.loads(cut.out)[0]["is_whole"]) == (1, False)
