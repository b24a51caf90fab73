"""racecheck on compute kernels: accesses of the units, at the lines of their calls."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

PAGE = Path(__file__).resolve().parents[3] / "docs" / "compute.md"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Writes the files of docs/compute.md, with data that differ, and returns the program file."""
    text = PAGE.read_text(encoding="utf-8")
    source = "source: {memory: dram,"
    ones = "source: {initial: {counting: 0x3f803f80}, memory: dram,"  # two numbers of bfloat16 from 1 on
    for name, content in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(content.replace(source, ones))
    return tmp_path / "exponential.yaml"


def without(program: Path, line: str) -> None:
    kernel = program.with_name("exponential.cpp")
    text = kernel.read_text()
    assert text.count(line) == 1
    kernel.write_text(text.replace(line, ""))


def test_finds_nothing_in_a_right_kernel(run_program: CommandLine, files: Path) -> None:
    done = run_program("kernel", files, "--arch", "blackhole", "--check", "all")
    assert (done.status, done.err) == (0, "")


def test_finds_a_tile_that_is_unpacked_before_it_has_come(run_program: CommandLine, files: Path) -> None:
    without(files, "cb_wait_front(0, 1);")
    done = run_program("kernel", files, "--arch", "blackhole", "--check", "racecheck")
    assert done.status == 1
    assert re.search(r"exponential\.cpp:\d+: racecheck: the destination of a read is used before", done.err + done.out)


def test_finds_a_page_that_is_packed_while_it_is_still_read(run_program: CommandLine, files: Path) -> None:
    without(files, "cb_reserve_back(16, 1);")
    done = run_program("kernel", files, "--arch", "blackhole", "--check", "racecheck")
    assert done.status == 1
    assert re.search(r"exponential\.cpp:\d+: racecheck: ", done.err + done.out)
    assert "pack_tile(0, 16);" in done.err + done.out


READS_TWICE = """#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr auto args = TensorAccessorArgs<0>();
    const auto source = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(0));
    const uint32_t page = get_write_ptr(0);
    cb_reserve_back(0, 1);
    noc_async_read_page(0, source, page);
    noc_async_read_barrier();
    cb_push_back(0, 1);
    noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0)), 1);
    noc_async_read_page(1, source, page);
    noc_async_read_barrier();
}
"""
SIGNALS = "noc_semaphore_set(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0)), 1);"


@pytest.mark.parametrize("is_right", [True, False])
def test_a_result_comes_after_the_reading_of_what_it_is_made_of(
    run_program: CommandLine, files: Path, is_right: bool
) -> None:
    # No page count orders the second read after the unpacking of the first one, but the page of the result does.
    wait = "cb_wait_front(16, 1);"
    writer = files.with_name("writer.cpp")
    writer.write_text(writer.read_text().replace(wait, wait + SIGNALS if is_right else SIGNALS + wait))
    files.with_name("reader.cpp").write_text(READS_TWICE)
    text = files.read_text()
    for many, one in (("source, 8]", "source]"), ("args: [8]", "args: [1]"), ("target, 8]", "target, 1]")):
        assert text.count(many) == 1
        text = text.replace(many, one)
    files.write_text(f"{text}semaphores:\n  0: {{}}\n")
    done = run_program("kernel", files, "--arch", "blackhole", "--check", "racecheck")
    assert done.status == (0 if is_right else 1)
    assert ("racecheck: " in done.err + done.out) is not is_right
