"""`nocbench shmem`: output of programs, what is said of a run, and exit statuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nocbench import command_line

if TYPE_CHECKING:
    from conftest import CommandLine

PROGRAM = """
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    shmem_init();
    printf("PE %d of %d: ", shmem_my_pe(), shmem_n_pes());
    printf("%s\\n", argv[argc - 1]);
    fprintf(stderr, "done\\n");
    int status = argc > 2 ? atoi(argv[1]) : 0;
    if (status == 9) abort();
    shmem_finalize();
    return status;
}
"""


@pytest.fixture
def shmem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    from conftest import Completed

    monkeypatch.chdir(tmp_path)
    Path("program.c").write_text(PROGRAM)

    def run(*arguments: str | Path) -> Completed:
        with pytest.raises(SystemExit) as exit_info:
            command_line.main(["shmem", *map(str, arguments)])
        captured = capsys.readouterr()
        assert isinstance(exit_info.value.code, int)
        return Completed(exit_info.value.code, captured.out, captured.err)

    return run


def test_prints_what_the_program_prints_and_what_it_took(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "2", "--", "hello")
    assert done.status == 0
    assert sorted(done.out) == sorted("PE 0 of 2: hello\nPE 1 of 2: hello\n")
    assert done.err.count("done\n") == 2
    assert "2 PEs, exit status 0, " in done.err
    assert "program.c:" in done.err


def test_tags_whole_lines_with_the_pe(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "3", "--tag", "--quiet", "--", "x")
    assert sorted(done.out.splitlines()) == [f"[{pe}] PE {pe} of 3: x" for pe in range(3)]
    assert sorted(done.err.splitlines()) == [f"[{pe}] done" for pe in range(3)]


def test_the_status_of_the_program_is_a_verdict(shmem: CommandLine) -> None:
    assert shmem("program.c", "-n", "1", "--", "5", "x").status == 1


def test_an_error_names_pe_and_line(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "2", "--", "9", "x")
    assert done.status == 2
    assert "PE 0" in done.err
    assert "program.c:11 in main: abort: the program has given up" in done.err


def test_json_has_everything(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "1", "--json", "--", "x")
    result = json.loads(done.out)
    assert result["exit_status"] == 0
    assert result["printed"][0] == {
        "cycle": result["printed"][0]["cycle"],
        "pe": 0,
        "stream": "stdout",
        "text": "PE 0 of 1: ",
    }
    assert result["microseconds"] == pytest.approx(result["cycles"] / 600)
    assert result["memory"]["image_bytes"] > 0


def test_bad_usage(shmem: CommandLine) -> None:
    assert "expected sources, as PROGRAM.c" in shmem("program.txt").err
    missing = shmem("none.c")
    assert missing.status == 2
    assert "none.c: expected the source of a program, found no such file" in missing.err
