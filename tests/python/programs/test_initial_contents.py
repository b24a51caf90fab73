"""Contents of regions and circular buffers before and after the run, other ones on each core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import nocbench
from nocbench.programs.execution import Machine, run_program
from nocbench.programs.program_file import read_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.programs.execution import ProgramRun

# Sends to the same address on another core.
SEND = """#include "dataflow_api.h"
void kernel_main() {
    const uint32_t data = get_arg_val<uint32_t>(0);
    noc_async_write(data, get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), data), 64);
    noc_async_write_barrier();
}
"""
# Sends the first page of buffer 0 to buffer 1 of another core.
SEND_PAGE = """#include "dataflow_api.h"
void kernel_main() {
    noc_async_write(get_read_ptr(0),
                    get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_write_ptr(1)), 64);
    noc_async_write_barrier();
}
"""
FILE = """\
parameters: {size: 60}
kernels:
  - {file: send.cpp, riscv: 0, cores: [[0, 0]], runtime_args: [address data, x 3 2, y 3 2]}
  - {file: page.cpp, riscv: 0, cores: [[1, 1]], runtime_args: [x 3 2, y 3 2]}
regions:
  own: {bytes: 16, initial: {counting: $core_x * 100 + $core_y}}
  data:
    bytes: 128
    initial:
      - {cores: [[0, 0]], counting: 1}
      - {cores: {from: [3, 2], to: [4, 2]}, words: [7, 8]}
tensors:
  shards: {memory: l1, pages: 4, page_bytes: 60, shards: 2, shard_cores: [[1, 1], [2, 2]], initial: {counting: 100}}
buffers:
  0: {name: source, tensor: shards}
  1: {pages: 2, page_bytes: 64, initial: [{cores: [[3, 2]], words: [0, 0, 0, 9]}]}
  2: {name: other, pages: 1, page_bytes: 16, initial: {words: [4]}}
  3: {name: places, pages: 1, page_bytes: 40, initial: {words: [address data, x 1 0, $size * 2, layout shards, 8]}}
expect:
  - {region: data, core: [3, 2], bytes: 64, equals: {counting: 1}}
  - {region: data, core: [3, 2], offset_bytes: 64, equals: zeros}
  - {region: data, core: [4, 2], equals: {words: [7, 8]}}
  - {region: data, core: [1, 1], equals: zeros}
  - {buffer: 1, core: [3, 2], bytes: 60, equals: {tensor: shards, bytes: 60}}
  - {buffer: other, core: [5, 5], equals: {words: [4]}}
  - {buffer: places, core: [0, 0], equals: {words: [address data, 18 + 1, 120, layout shards, 8]}}
  - {region: own, core: [3, 2], equals: {words: [302, 303, 304, 305]}}
  - {region: own, core: [7, 0], bytes: 4, equals: {words: [$core_x * 100]}}
  - {buffer: source, core: [2, 2], bytes: 60, equals: {tensor: shards, offset_bytes: 120}}
"""
WORMHOLE = Machine("wormhole_b0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "send.cpp").write_text(SEND)
    (tmp_path / "page.cpp").write_text(SEND_PAGE)
    return tmp_path


def run_file(folder: Path, text: str) -> ProgramRun:
    path = folder / "program.yaml"
    path.write_text(text)
    return run_program(read_program(path, WORMHOLE, {}), WORMHOLE)


def test_cores_begin_with_contents_of_their_own(folder: Path) -> None:
    run = run_file(folder, FILE)
    assert run.fault == ""
    source = run.program.buffers[0]
    assert (source.pages, source.page_bytes) == (2, 64)  # with the padding of L1


def test_wrong_data_in_a_buffer(folder: Path) -> None:
    run = run_file(folder, FILE.replace("core: [5, 5], equals: {words: [4]}", "core: [5, 5], equals: {words: [5]}"))
    assert "expect: buffer other, byte 0 (core (5, 5), address 0x" in run.fault
    assert "expected 0x05" in run.fault


BROKEN = [
    ("cores: [[0, 0]], counting: 1", "counting: 1", "regions.data.initial[0].cores: expected this key, found nothing"),
    ("counting: 1}", "counting: 1, words: [1]}", "initial[0]: expected one of words, counting, from_file beside cores"),
    (
        "[[0, 0]], counting",
        "[[4, 2]], counting",
        "program.yaml:11:9: regions.data.initial[1].cores: expected each core",
    ),
    ("[[0, 0]], counting", "[[9, 9]], counting", "initial[0]: cores: expected a core from (0, 0) to (7, 7) of n150"),
    ("words: [7, 8]}", "wards: [7, 8]}", "regions.data.initial[1].wards: expected a known key"),
    ("bytes: 128", "bytes: 4", "regions.data.initial: expected at most 4 bytes, found 8"),
    ("words: [4]}}", "words: [4, 5, 6, 7, 8]}}", "buffers.2.initial: expected at most 16 bytes, found 20"),
    (
        "words: [7, 8]}",
        "words: [x 9 9]}",
        "11:53: regions.data.initial[1].words[0]: expected a core from (0, 0) to (7, 7)",
    ),
    ("[7, 8]}}", "[7, address date]}}", "equals.words[1]: expected the name of a tensor or region, found 'date'; did"),
    ("{counting: $core_x *", "{counting: $row *", "regions.own.initial.counting: expected a parameter, found '$row'"),
    (
        "{counting: $core_x * 100 + $core_y}",
        "{counting: [1]}",
        "own.initial.counting: expected a number, or a text such",
    ),
    ("{counting: $core_x * 100 + $core_y}", "{counting: layout shards}", "expected one word, found a layout of"),
    (
        "{counting: 100}",
        "{counting: $core_x}",
        "tensors.shards.initial.counting: expected a parameter, found '$core_x'",
    ),
    ("8]}}\nexpect", "8, 8]}}\nexpect", "buffers.3.initial: expected at most 40 bytes, found 44"),
    ("tensor: shards}", "tensor: shard}", "buffers.0.tensor: expected the name of a tensor in l1, found 'shard'; did"),
    ("tensor: shards}", "tensor: shards, initial: zeros}", "buffers.0.initial: expected none beside tensor"),
    ("tensor: shards}", "tensor: shards, pages: 3}", "15:6: buffers.0: expected at most 128 bytes, the size of shards"),
    ("0: {name: source, tensor: shards}", "0: {name: source}", "buffers.0.pages: expected this key, found nothing"),
    ("buffer: other", "buffer: othr", "expected the id or name of a buffer, found 'othr'; did you mean 'other'?"),
    ("buffer: 1, core: [3, 2],", "buffer: 1,", "expect.core: expected the core of the buffer, found nothing"),
    ("buffer: 1, core", "buffer: 1, region: data, core", "expected one of a tensor, a region and a buffer, found"),
]


@pytest.mark.parametrize(("good", "bad", "complaint"), BROKEN, ids=[bad for _, bad, _ in BROKEN])
def test_complaint(folder: Path, good: str, bad: str, complaint: str) -> None:
    assert good in FILE
    with pytest.raises(InputError) as caught:
        run_file(folder, FILE.replace(good, bad, 1))
    assert complaint in str(caught.value)


def test_a_program_composed_in_python() -> None:
    program = nocbench.Program("blackhole")
    program.region("data", 128, initial={(0, 0): range(16), (3, 2): [7, 8]})
    program.tensor(
        "shards", memory="l1", pages=2, page_bytes=64, shards=1, shard_cores=[(1, 1), (2, 2)], initial=range(32)
    )
    program.buffer(0, tensor="shards")
    program.buffer(1, pages=2, page_bytes=64, name="target", initial={(3, 2): [0] * 16 + [9]})
    program.kernel(SEND, cores=(0, 0), runtime_args=["address data", "x 3 2", "y 3 2"])
    program.kernel(SEND_PAGE, cores=(2, 2), runtime_args=["x 3 2", "y 3 2"])
    program.region("places", 16, initial=["address data", "x 1 0", 5])
    program.expect("places", ["address data", "x 1 0", 5], core=(1, 0))
    program.expect("data", range(16), core=(3, 2))
    program.expect("target", [*range(16, 32), 9], core=(3, 2))
    program.expect(0, range(16), core=(1, 1))
    result = program.run()
    assert result.data_ok
    assert list(result.memory(1, (3, 2))[15:17]) == [31, 9]
    assert list(result.memory("target", (0, 0))) == [0] * 32
    assert result.memory("places", (0, 0))[0] == result.memory("places", (2, 2))[0] > 0
    assert result.memory("shards").sum() == sum(range(32))


def test_complaint_about_contents_of_cores() -> None:
    program = nocbench.Program("blackhole")
    with pytest.raises(InputError, match=r"region 'data': initial: expected cores as keys, found \['first'\]"):
        program.region("data", 64, initial={"first": [1]})
    program.region("data", 64, initial={(99, 0): [1]})
    program.kernel(SEND, runtime_args=["address data", "x 1 1", "y 1 1"])
    with pytest.raises(InputError, match=r"region 'data': initial: \(99, 0\): cores: expected a core from \(0, 0\)"):
        program.run()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "buffer 0: expected pages and page_bytes, or a tensor, found neither"),
        ({"tensor": "data"}, "buffer 0: tensor: expected the name of a tensor in l1, found 'data'"),
        ({"tensor": "pages"}, "buffer 0: tensor: expected the name of a tensor in l1, found 'pages'"),
        ({"tensor": "shards", "initial": [1]}, "buffer 0: initial: expected none beside tensor"),
    ],
)
def test_complaint_about_a_buffer(arguments: dict[str, object], complaint: str) -> None:
    program = nocbench.Program("blackhole")
    program.region("data", 64)
    program.tensor("pages", pages=2, page_bytes=64)
    program.tensor("shards", memory="l1", pages=2, page_bytes=64, shards=2, shard_cores=[(1, 1)])
    with pytest.raises(InputError, match=complaint):
        program.buffer(0, **arguments)  # type: ignore[arg-type]


SEMAPHORES = """
arch: blackhole
kernels:
  - file: values.cpp
    riscv: 0
    cores: {from: [0, 0], to: [2, 0]}
    runtime_args: [address out]
regions: {out: {bytes: 16}}
semaphores:
  0: {initial: 9}
  1: {initial: INITIAL}
  2: {initial: 5}
expect:
  - {region: out, core: [0, 0], equals: {words: [9, 4, 5, 0]}}
  - {region: out, core: [1, 0], equals: {words: [9, 0, 5, 0]}}
  - {region: out, core: [2, 0], equals: {words: [9, 7, 5, 0]}}
"""
VALUES = """#include "dataflow_api.h"
void kernel_main() {
    volatile uint32_t* out = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
    for (uint32_t id = 0; id < 3; ++id) {
        out[id] = *reinterpret_cast<volatile uint32_t*>(get_semaphore(id));
    }
}
"""


def semaphore_program(directory: Path, initial: str) -> Path:
    """Writes a program whose kernels store the values of their semaphores."""
    (directory / "values.cpp").write_text(VALUES)
    program = directory / "program.yaml"
    program.write_text(SEMAPHORES.replace("INITIAL", initial))
    return program


def test_a_semaphore_has_a_value_of_each_core(tmp_path: Path) -> None:
    initial = "[{cores: [[0, 0]], value: 4}, {cores: {from: [2, 0], to: [2, 0]}, value: 7}]"
    machine = Machine("blackhole", "", ())
    assert run_program(read_program(semaphore_program(tmp_path, initial), machine, {}), machine).data_ok
    program = nocbench.Program("blackhole")
    program.semaphore(initial=9)
    program.semaphore(initial={(0, 0): 4, (2, 0): 7})
    program.semaphore(initial=5)
    program.region("out", 16)
    program.kernel(VALUES, name="values", cores=program.rectangle((0, 0), (2, 0)), runtime_args=["address out"])
    found = program.run()
    assert [list(found.memory("out", (x, 0))) for x in range(3)] == [[9, 4, 5, 0], [9, 0, 5, 0], [9, 7, 5, 0]]


@pytest.mark.parametrize(
    ("initial", "complaint"),
    [
        ("[{cores: [[0, 0]]}]", "value"),
        ("[{cores: [[0, 0]], value: 1}, {cores: [[0, 0]], value: 2}]", "expected each core once, found (0, 0) again"),
        ("[{cores: [[40, 0]], value: 1}]", "(40, 0)"),
        ("[{cores: [[0, 0]], value: 4294967296}]", "4294967296"),
    ],
)
def test_mistakes_in_values_of_semaphores(tmp_path: Path, initial: str, complaint: str) -> None:
    with pytest.raises(InputError, match=r"program\.yaml:11:") as caught:
        read_program(semaphore_program(tmp_path, initial), Machine("blackhole", "", ()), {})
    assert complaint in str(caught.value)
