"""``nocbench kernel``, and heat maps, traces and explanations of programs, on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from device_programs import DIRECTORY

from nocbench.results.result_files import read_results
from nocbench.support.columns import RESULT_COLUMNS

if TYPE_CHECKING:
    from conftest import CommandLine

PAGES = str(DIRECTORY / "late_2026" / "pages.yaml")
PRINTS = str(DIRECTORY / "through_buffers" / "zones_and_prints.yaml")
WRITE = str(DIRECTORY / "core_to_core" / "write_one_packet.cpp")
WORDS = ("--arg", "address source", "--arg", "address target", "--arg", "x 1 1", "--arg", "y 1 1")
REGIONS = ("--region", "source=4KiB", "--region", "target=4KiB")
SIZES = ("--compile-time-arg", "16", "--compile-time-arg", "256")


def test_a_program_says_where_its_cycles_went(run_program: CommandLine) -> None:
    done = run_program("kernel", PAGES, "--arch", "blackhole")
    assert done.status == 0
    assert "page_reader on blackhole (p100), 2 cores, riscv_1, NoC 0" in done.out
    assert "page_writer on blackhole (p100), 2 cores, riscv_0, NoC 1" in done.out
    [wait] = [line for line in done.out.splitlines() if "dfb.wait_front(1);" in line]
    assert wait.split()[0] == "page_writer.cpp:23"
    assert float(wait.split()[2].removesuffix("%")) > 50


def test_what_it_printed_and_its_zones(run_program: CommandLine) -> None:
    done = run_program("kernel", PRINTS, "--arch", "wormhole_b0")
    assert "zone RISCV0: " in done.out
    assert "    copied 4 x 64 at 10000\n    1.5 -3\n" in done.out


def test_without_arch_all_chips_run_it(run_program: CommandLine) -> None:
    done = run_program("kernel", PRINTS)
    assert " on wormhole_b0 " in done.out
    assert " on blackhole " in done.out


def test_rows_are_result_rows(run_program: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    done = run_program("kernel", PAGES, "--set", "router.hop_cycles=20", "-o", str(path))
    assert done.status == 0
    frame = read_results(path)
    assert list(frame.columns) == [column.name for column in RESULT_COLUMNS]
    assert len(frame) == 4
    assert set(frame.params) == {"router.hop_cycles=20;compiler=gcc-12.2.0"}
    assert set(frame.primitive) == {"kernel"}
    assert frame.revision.notna().all()


def test_kernels_that_move_nothing_have_rows(run_program: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    blocks = str(DIRECTORY / "through_buffers" / "multicast_blocks.yaml")
    assert run_program("kernel", blocks, "-o", str(path)).status == 0
    rows = read_results(path).set_index(["arch", "kernel"])
    assert rows.num_transactions["blackhole", "block_receiver"] == 4  # counts increments of a semaphore
    assert rows.bandwidth_bytes_per_cycle["blackhole", "block_receiver"] == 0


def test_json(run_program: CommandLine) -> None:
    done = run_program("kernel", PAGES, "--arch", "wormhole_b0", "--json")
    [run] = json.loads(done.out)
    assert run["program"] == "pages"
    assert run["data_ok"]
    assert len(run["kernels"]) == 4
    assert {"file", "line", "text", "function", "cycles", "share"} == set(run["kernels"][0]["lines"][0])


def test_a_single_kernel_needs_no_file(run_program: CommandLine) -> None:
    done = run_program("kernel", WRITE, "--arch", "wormhole_b0", *SIZES, *REGIONS, *WORDS)
    assert done.status == 0
    # The number of cycles depends on the compiler: 681 with Debian 12's, 693 with Debian 13's.
    match = re.search(r"(\d+) cycles, \d\.\d\d B/cycle \(16 commands, 4,096 bytes\)", done.out)
    assert match is not None
    assert int(match[1]) == pytest.approx(687, abs=10)


def test_wrong_data_give_status_1(run_program: CommandLine, tmp_path: Path) -> None:
    text = Path(PRINTS).read_text().replace("file: ", f"file: {Path(PRINTS).parent}/")
    (tmp_path / "wrong.yaml").write_text(text.replace("equals: {counting: 77}", "equals: {counting: 78}"))
    done = run_program("kernel", str(tmp_path / "wrong.yaml"), "--arch", "blackhole")
    assert done.status == 1
    assert "wrong data on blackhole: " in done.err
    assert "region target, byte 0 (core (0, 0), address 0x10100): expected 0x4e" in done.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("no_such.yaml",), "no_such.yaml"),
        (("no_such.cpp",), "no_such.cpp: expected the source of a kernel, found no such file"),
        ((PAGES, WRITE), "expected program files, or sources of kernels, found both"),
        ((PAGES, "--core", "1,1"), "are for FILE.cpp"),
        ((WRITE, "-a", "pages=4"), "-a sets a parameter of a program file"),
        ((PAGES, "-a", "size=4"), "expected a parameter of"),
        ((PAGES, "--arch", "epiphany_iii"), "expected one that kernels are compiled for, wormhole_b0 or blackhole"),
        ((PAGES, "--arch", "blackhol"), "did you mean 'blackhole'?"),
        ((PAGES, "--board", "n151"), "no board"),
        ((PAGES, "--set", "router.hop_cycle=1"), "router.hop_cycle"),
        ((PAGES, "-o", "rows.txt"), "rows.txt"),
        ((PAGES, "--cc", "no_such_compiler"), "--cc: no_such_compiler: expected a compiler"),
        ((PAGES, "--optimization", "9"), "expected one of -O0, -O1, -O2, -O3, -Os, found '-O9'"),
        ((WRITE, "--core", "one"), "--core: expected X,Y, found 'one'"),
        ((WRITE, "--core", "30,30"), "expected a core from (0, 0) to"),
        ((WRITE, "--region", "source"), "--region: expected NAME=BYTES, found 'source'"),
        ((WRITE, "--tensor", "pages=4"), "--tensor: expected NAME=PAGESxBYTES"),
        ((WRITE, "--buffer", "0=4"), "--buffer: expected ID=PAGESxBYTES"),
        ((WRITE, *SIZES, "--arg", "address source"), "expected the name of a tensor or region, found 'source'"),
        ((WRITE, WRITE, WRITE), "expected one kernel, or two"),
        ((PRINTS, "--max-cycles", "10"), "still runs after 10 cycles"),
    ],
)
def test_complaint(run_program: CommandLine, arguments: tuple[str, ...], complaint: str) -> None:
    done = run_program("kernel", *arguments)
    assert done.status == 2
    assert complaint in done.err
    assert done.out == ""


def test_heat_map_trace_and_explanation(run_program: CommandLine, tmp_path: Path) -> None:
    done = run_program("heatmap", PAGES, "--arch", "wormhole_b0", "-o", str(tmp_path / "hot.png"))
    assert done.status == 0
    assert (tmp_path / "hot.png").stat().st_size > 1000
    assert "page_reader (riscv_1, NoC 0): 2 cores" in done.out

    done = run_program("trace", PAGES, "--arch", "blackhole", "-o", str(tmp_path / "trace.json"))
    assert done.status == 0
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert trace["otherData"]["test"] == "pages"
    assert len(trace["traceEvents"]) > 100

    done = run_program("explain", PAGES, "--arch", "blackhole", "--json")
    assert done.status == 0
    explanations = json.loads(done.out)
    assert [explanation["row"]["kernel"] for explanation in explanations] == ["page_reader", "page_writer"]
    for explanation in explanations:
        assert sum(explanation["waits"].values()) == pytest.approx(explanation["latency_cycles"])
        assert explanation["chain"]


@pytest.mark.parametrize("command", ["heatmap", "trace"])
def test_a_picture_is_of_one_chip(run_program: CommandLine, command: str) -> None:
    done = run_program(command, PAGES)
    assert done.status == 2
    assert "expected one architecture, found several; choose one with --arch: wormhole_b0 or blackhole" in done.err
