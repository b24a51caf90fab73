"""`nocbench shmem`: output of programs, reports of runs, and exit statuses."""

from __future__ import annotations

import functools
import json
import re
import signal
import subprocess
import sys
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


ROUNDS = """
#include <shmem.h>
#include <stdio.h>
int main(void) {
    shmem_init();
    for (int round = 0;; round++) {
        if (shmem_my_pe() == 0) printf("round %d\\n", round);
        for (volatile int i = 0; i < 1000000; i++);
        shmem_barrier_all();
    }
}
"""


def test_prints_while_the_program_runs_until_it_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "rounds.c").write_text(ROUNDS)
    command = [sys.executable, "-m", "nocbench", "shmem", "rounds.c", "-n", "2", "--quiet"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Background jobs of a shell ignore SIGINT, and their children inherit this.
        preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert [running.stdout.readline() for _ in range(2)] == ["round 0\n", "round 1\n"]
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
        said = running.stderr.read()
    assert re.search(r"^error: interrupted after \d+ cycles$", said, re.MULTILINE)
    for pe in range(2):
        assert re.search(rf"'rounds, PE {pe}' .* at rounds.c:\d+ in main$", said, re.MULTILINE)


def test_options_have_their_older_names_too(shmem: CommandLine) -> None:
    new = shmem("program.c", "--num-pes", "2", "--optimization", "-Os", "--cycles-max", "20", "--json", "--", "x")
    old = shmem("program.c", "-n", "2", "-O", "s", "--max-cycles", "20", "--json", "--", "x")
    assert new.out == old.out
    assert "still runs after 20 cycles, the limit of modeled time (cycles_max)" in json.loads(new.out)["error"]


def test_shows_warnings_of_the_compiler_before_the_output(shmem: CommandLine) -> None:
    text = PROGRAM.replace("of %d: ", "of %s: ").replace('printf("PE', 'int unused; printf("PE')
    Path("program.c").write_text(text.replace("shmem_n_pes());", '"two", 1);', 1))
    done = shmem("program.c", "-n", "2", "--", "hello")
    assert done.status == 0
    assert "[-Wformat-extra-args]" in done.err
    assert "[-Wunused-variable]" in done.err
    assert done.err.index("-Wformat-extra-args") < done.err.index("done")


def test_goes_on_after_an_overrun_if_asked(shmem: CommandLine) -> None:
    Path("program.c").write_text(
        "#include <shmem.h>\nstatic char to[4], from[8];\n"
        "int main(void) { shmem_init(); shmem_putmem(to, from, 7, 0); shmem_finalize(); }\n"
    )
    assert shmem("program.c", "-n", "1").status == 2
    done = shmem("program.c", "-n", "1", "--warn-overrun", "--quiet")
    assert done.status == 0
    assert re.fullmatch(
        r"warning: PE 0: program.c:3 in main: shmem_putmem: expected dest within 'to' of 4 bytes at 0x\w+, "
        r"found 7 bytes at 0x\w+\n",
        done.err,
    )
