"""Loops whose unrolling is a template parameter compile, though the compiler refuses such a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import nocbench
from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.messages import KernelCompileError
from nocbench.compiling.request import ARCHITECTURES

if TYPE_CHECKING:
    from pathlib import Path

    from device_programs import MakeRequest

KERNEL = """#include "first.h"
template <uint32_t count>
void fill(volatile tt_l1_ptr uint32_t* words) {
#pragma GCC unroll(count)
    for (uint32_t i = 0; i < count; ++i) {
        words[i] = kFirst + i;
    }
#pragma GCC unroll 2
    for (uint32_t i = 0; i < count; ++i) {
        words[count + i] = kFirst;
    }
}
void kernel_main() { fill<4>(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0))); }
"""


@pytest.fixture(autouse=True)
def place_of_sources(tmp_path: Path) -> None:
    (tmp_path / "first.h").write_text("constexpr unsigned kFirst = 7;\n", encoding="utf-8")


def test_a_message_counts_the_loops(make_request: MakeRequest) -> None:
    request = make_request(KERNEL)
    kernel = compile_kernel(request)
    assert kernel.messages.startswith(f"{request.source}: loops that are not unrolled, since this compiler takes")
    assert kernel.messages.endswith(": 1\n")
    assert compile_kernel(request).messages == kernel.messages


def test_lines_are_those_of_the_source(make_request: MakeRequest) -> None:
    request = make_request(KERNEL)
    frames = [frame for _, frames in compile_kernel(request).source_map for frame in frames]
    lines = {frame.line for frame in frames if frame.file == str(request.source)}
    assert lines >= {6, 10, 13}
    assert lines <= {*range(2, 14)}
    with pytest.raises(KernelCompileError) as error:
        compile_kernel(make_request(KERNEL.replace("= kFirst;", "= kSecond;")))
    assert str(error.value).startswith(f"{request.source}:10: 'kSecond' was not declared")


def test_a_changed_header_makes_it_anew(make_request: MakeRequest, tmp_path: Path) -> None:
    request = make_request(KERNEL)
    before = compile_kernel(request)
    assert compile_kernel(request).was_cached
    (tmp_path / "first.h").write_text("constexpr unsigned kFirst = 8;\n", encoding="utf-8")
    after = compile_kernel(request)
    assert not after.was_cached
    assert after.elf != before.elf


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_it_runs(arch: str) -> None:
    program = nocbench.Program(arch)
    program.region("row", 32)
    program.kernel(KERNEL.replace('#include "first.h"', "constexpr unsigned kFirst = 7;"), runtime_args=["address row"])
    program.expect("row", [7, 8, 9, 10, 7, 7, 7, 7], core=(0, 0))
    result = program.run()
    assert result.data_ok, result.fault
