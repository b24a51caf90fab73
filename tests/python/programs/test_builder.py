"""Programs composed in Python."""

from __future__ import annotations

import numpy
import pytest

import nocbench
from nocbench.support.columns import RESULT_COLUMNS

COPY = """#include "dataflow_api.h"
void kernel_main() {
    constexpr auto source_args = TensorAccessorArgs<0>();
    constexpr auto target_args = TensorAccessorArgs<source_args.next_compile_time_args_offset()>();
    const auto source = TensorAccessor(source_args, get_arg_val<uint32_t>(0), 64);
    const auto target = TensorAccessor(target_args, get_arg_val<uint32_t>(1), 64);
    const uint32_t middle = get_arg_val<uint32_t>(2);
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(3); ++page) {
        noc_async_read(source.get_noc_addr(page), middle, 64);
        noc_async_read_barrier();
        noc_async_write(middle, target.get_noc_addr(page), 64);
        noc_async_write_barrier();
    }
}
"""
DATA = numpy.arange(24 * 16, dtype=numpy.uint32)
BANKS: dict[str, list[int | tuple[int, int]]] = {"dram": [0, 3, 5], "l1": [(1, 0), (0, 1), (2, 2)]}


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("memory", ["dram", "l1"])
@pytest.mark.parametrize(("pages", "shards"), [(24, None), (24, 4), (24, 5), ([4, 6], [2, 3]), ([4, 6], [3, 4])])
def test_layouts_are_those_of_the_device(
    arch: str, memory: str, pages: int | list[int], shards: int | list[int] | None
) -> None:
    """A kernel's TensorAccessor and the program compute equal page addresses."""
    program = nocbench.Program(arch)
    program.tensor(
        "source",
        pages=pages,
        page_bytes=64,
        memory=memory,
        initial=DATA,
        shards=shards,
        shard_cores=BANKS[memory] if shards else (),
    )
    program.tensor("target", pages=24, page_bytes=64)
    program.region("middle", 64)
    program.kernel(
        COPY,
        name="copy",
        compile_time_args=["layout source", "layout target"],
        runtime_args=["address source", "address target", "address middle", 24],
    )
    program.expect("target", DATA)
    result = program.run()
    assert result.data_ok
    assert (result.memory("target") == DATA).all()
    assert (result.memory("middle", (0, 0)) == DATA[-16:]).all()
    assert list(result.frame.columns) == [column.name for column in RESULT_COLUMNS]
    assert result.frame.latency_cycles[0] == pytest.approx(sum(result.waits().values()))
    lines = result.lines("copy")
    assert lines[lines.text.str.startswith("noc_async_read_barrier")].share.iloc[0] > 0.2
    assert result.cycles >= result.frame.latency_cycles[0]


def test_wrong_data_are_warned_of() -> None:
    program = nocbench.Program("wormhole_b0")
    program.region("word", 16)
    program.kernel('#include "dataflow_api.h"\nvoid kernel_main() {\n}\n', name="nothing")
    program.expect("word", [0, 0, 7], core=(0, 0))
    with pytest.warns(nocbench.WrongDataWarning, match="region word, byte 8 .*expected 0x07 .*found 0x00"):
        result = program.run()
    assert not result.data_ok
    assert "byte 8" in result.fault
    assert not result.frame.data_ok[0]


def test_each_core_has_its_own_words() -> None:
    program = nocbench.Program("blackhole")
    program.region("word", 16)
    program.kernel(
        '#include "dataflow_api.h"\nvoid kernel_main() {\n'
        "    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0)) =\n"
        "        get_arg_val<uint32_t>(1);\n}\n",
        cores=[(0, 0), (3, 2)],
        runtime_args=["address word", "$core_x * 100 + $core_y * 10 + $core_index"],
    )
    result = program.run()
    assert result.memory("word", (0, 0))[0] == 0
    assert result.memory("word", (3, 2))[0] == 321


@pytest.mark.parametrize(
    ("what", "complaint"),
    [
        (lambda p: p.region("data", 16), "'data': expected a name of its own"),
        (lambda p: p.region("two words", 16), "expected a name as in C\\+\\+, found 'two words'"),
        (lambda p: p.tensor("t", pages=1, page_bytes=16, memory="sram"), "expected dram or l1, found 'sram'"),
        (lambda p: p.tensor("t", pages=4, page_bytes=16, shards=2), "expected shards of as many dimensions"),
        (lambda p: p.expect("dat", [1]), "expected the name of a tensor, region or buffer, found 'dat'"),
        (lambda p: p.expect("data", [1]), "expected the core of a region, found None"),
        (lambda p: p.expect("data", [1], core=(0, 0), size=99), "expected a part of its 16 bytes"),
        (lambda p: p.expect("data", 1, core=(0, 0)), "expected bytes, an array or numbers, found int"),
        (lambda p: p.run(), "expected at least one kernel, found none"),
    ],
)
def test_complaint(what: object, complaint: str) -> None:
    program = nocbench.Program("wormhole_b0")
    program.region("data", 16)
    with pytest.raises(nocbench.InputError, match=complaint):
        what(program)  # type: ignore[operator]


def test_there_is_no_such_architecture() -> None:
    with pytest.raises(nocbench.InputError, match="did you mean 'blackhole'"):
        nocbench.Program("blackhol")


def test_pages_of_a_few_bytes() -> None:
    """Buffers have pages of any multiple of four bytes, as on the device."""
    program = nocbench.Program("blackhole")
    program.buffer(3, pages=3, page_bytes=12)
    program.region("sum", 16)
    program.kernel(
        '#include "dataflow_api.h"\nvoid kernel_main() {\n'
        "    for (uint32_t page = 1; page <= 7; ++page) {\n"
        "        cb_reserve_back(3, 1);\n"
        "        *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(3) + 8) = page;\n"
        "        cb_push_back(3, 1);\n    }\n}\n",
        name="fill",
        riscv=0,
    )
    program.kernel(
        '#include "dataflow_api.h"\nvoid kernel_main() {\n    uint32_t sum = get_tile_size(3);\n'
        "    for (uint32_t page = 1; page <= 7; ++page) {\n"
        "        cb_wait_front(3, 1);\n"
        "        sum += *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_read_ptr(3) + 8);\n"
        "        cb_pop_front(3, 1);\n    }\n"
        "    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0)) = sum;\n}\n",
        name="empty",
        riscv=1,
        runtime_args=["address sum"],
    )
    program.expect("sum", [12 + 28], core=(0, 0))
    program.expect(3, [0, 0, 7, 0, 0, 5, 0, 0, 6], core=(0, 0))
    assert program.run().data_ok
