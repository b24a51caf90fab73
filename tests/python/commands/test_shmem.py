"""`nocbench shmem`: output of programs, reports of runs, and exit statuses."""

from __future__ import annotations

import json
import re
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
    assert sorted(done.out.splitlines()) == ["PE 0 of 2: hello", "PE 1 of 2: hello"]
    assert done.err.count("done\n") == 2
    assert re.search(
        r"program on epiphany_iii \(parallella\), 2 PEs: [\d,]+ cycles, [\d.]+ us, exit status 0", done.err
    )
    assert "slowest: PE " in done.err
    assert "cycles by cause: issue " in done.err
    assert "of 32,768 B of each core" in done.err
    assert "program.c:" not in done.err


def test_says_where_cycles_went_by_line(shmem: CommandLine) -> None:
    assert "program.c:7 " in shmem("program.c", "-n", "2", "--lines", "--", "hello").err


def test_tags_whole_lines_with_the_pe(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "3", "--tag", "--quiet", "--", "x")
    assert sorted(done.out.splitlines()) == [f"[{pe}] PE {pe} of 3: x" for pe in range(3)]
    assert sorted(done.err.splitlines()) == [f"[{pe}] done" for pe in range(3)]


def test_the_status_is_that_of_the_program(shmem: CommandLine) -> None:
    assert shmem("program.c", "-n", "1", "--", "5", "x").status == 5
    assert shmem("program.c", "-n", "1", "--", "-1", "x").status == 255


def test_writes_row_heat_map_and_trace(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "4", "-o", "row.csv", "--heatmap", "map.svg", "--trace", "trace.json", "--", "x")
    assert done.status == 0
    assert Path("row.csv").read_text().splitlines()[1].startswith("epiphany_iii,program,PE,")
    assert "program on epiphany_iii (parallella)" in Path("map.svg").read_text()
    events = json.loads(Path("trace.json").read_text())["traceEvents"]
    assert {"program, PE 0", "program, PE 3"} <= {event["name"] for event in events}


def test_a_program_that_does_not_end_has_a_trace_only(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "2", "-o", "row.csv", "--heatmap", "map.svg", "--trace", "t.json", "--", "9", "x")
    assert done.status == 2
    assert [Path(name).exists() for name in ("row.csv", "map.svg", "t.json")] == [False, False, True]


def test_a_larger_memory_is_another_machine(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "1", "--set", "core.memory_bytes=65536", "--", "x")
    assert "of 65,536 B of each core" in done.err


def test_an_error_names_pe_and_line(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "2", "--", "9", "x")
    assert done.status == 2
    assert "PE 0" in done.err
    assert "program.c:11 in main: abort: the program has given up" in done.err


def test_json_has_everything(shmem: CommandLine) -> None:
    done = shmem("program.c", "-n", "1", "--json", "--", "x")
    result = json.loads(done.out)
    assert result["exit_status"] == 0
    first = result["printed"][0]
    assert (first["pe"], first["stream"], first["text"]) == (0, "stdout", "PE 0 of 1: ")
    assert {"pe", "cycles", "instructions", "waits", "lines"} <= set(result["pes"][0])
    assert result["microseconds"] == pytest.approx(result["cycles"] / 600)
    assert result["memory"]["image_bytes"] > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "expected the sources of a program, found none"),
        (["program.txt"], "program.txt: expected a source in C or C++, as NAME.c or NAME.cpp"),
        (["none.c"], "none.c: expected the source of a program, found no such file"),
        (["program.c", "-n", "17"], "-n: expected 1 to 16 PEs, found 17"),
        (["program.c", "--origin", "here"], "expected an address of 32 bits, as 0x400 or 1024, found 'here'"),
        (["program.c", "--origin", "0x401"], "origin: expected a multiple of 4 from 0x100 to 0x4000, found 0x401"),
        (["program.c", "--heap-start", "0x10000"], "heap start: expected a multiple of 8 below 0x8000"),
        (["program.c", "-O", "9"], "optimization: expected one of -O0"),
        (["program.c", "--arch", "blackhole"], "blackhole: expected an Epiphany machine"),
        (["program.c", "--heatmap", "map.txt"], "map.txt"),
        (["program.c", "--trace", "trace.txt"], "trace.txt: the name of a trace ends in .json or .json.gz"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_usage(shmem: CommandLine, arguments: list[str], words: str) -> None:
    done = shmem(*arguments)
    assert done.status == 2
    assert words in done.err
