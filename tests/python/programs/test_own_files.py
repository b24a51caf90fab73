"""Cycles and faults are attributed to the user's own lines, not to the device's headers."""

from __future__ import annotations

import pytest

from nocbench.compiling.source_map import Frame
from nocbench.programs.own_files import OwnFiles, short_chains


@pytest.mark.parametrize(
    ("file", "is_own"),
    [
        ("/home/me/kernels/copy.cpp", True),
        ("/home/me/tt-metal/tests/tt_metal/kernels/copy.cpp", True),
        ("/home/me/tt-metal/ttnn/cpp/ttnn/kernel/dataflow/copy.cpp", True),
        ("/home/me/tt-metal/tt_metal/hw/inc/api/dataflow/dataflow_api.h", False),
        ("/home/me/tt-metal/tt_metal/hw/firmware/src/tt-1xx/brisck.cc", False),
        ("/home/me/tt-metal/tt_metal/hostdevcommon/api/hostdevcommon/kernel_structs.h", False),
        ("/usr/include/c++/12/array", False),
        ("nocbench_program.h", False),
    ],
)
def test_whose_a_file_is(file: str, is_own: bool) -> None:
    assert OwnFiles().has(Frame("f", file, 1)) == is_own
    assert not OwnFiles().has(Frame("f", file, 0))


def test_a_message_has_the_call_in_a_users_line_and_no_more_of_the_headers() -> None:
    headers = [Frame(name, f"/tt-metal/tt_metal/hw/inc/{name}.h", 7) for name in ("write_register", "noc_async_write")]
    kernel = Frame("kernel_main()", "/home/me/copy.cpp", 3)
    start = Frame("_start", "/tt-metal/tt_metal/hw/firmware/src/tt-1xx/brisck.cc", 80)
    [(_, chain)] = short_chains(((0x1000, (*headers, kernel, start)),))
    assert [frame.function for frame in chain] == ["noc_async_write", "kernel_main"]
