"""Mistakes in program files are reported with file, line, expected and found content."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench.compiling.toolchain import find_toolchain
from nocbench.programs.execution import Machine, run_program
from nocbench.programs.program_file import read_machines, read_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """#include "dataflow_api.h"
void kernel_main() {
    noc_async_write(get_arg_val<uint32_t>(0), get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2),
                    get_arg_val<uint32_t>(0)), get_arg_val<uint32_t>(3));
    noc_async_write_barrier();
}
"""
GOOD = """\
parameters: {size: 256}
kernels:
  - file: write.cpp
    riscv: 0
    cores: [[0, 0]]
    runtime_args: [address data, x 1 1, y 1 1, $size]
regions:
  data: {bytes: $size * 2, initial: {counting: 5}}
tensors:
  pages: {memory: dram, pages: 4, page_bytes: 64}
buffers:
  0: {pages: 2, page_bytes: 64}
expect:
  - {region: data, core: [1, 1], equals: {counting: 5}}
"""
WORMHOLE = Machine("wormhole_b0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "write.cpp").write_text(KERNEL)
    return tmp_path


def complaint_about(folder: Path, text: str, **assignments: str) -> str:
    path = folder / "program.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        run_program(read_program(path, WORMHOLE, assignments), WORMHOLE)
    return str(caught.value).replace(f"{folder}/", "")


def test_the_good_one_runs(folder: Path) -> None:
    path = folder / "program.yaml"
    path.write_text(GOOD)
    run = run_program(read_program(path, WORMHOLE, {"size": "512"}), WORMHOLE)
    assert run.data_ok
    assert run.rows[0]["params"] == f"size=512;compiler={find_toolchain(None).label}"
    assert run.rows[0]["transaction_size_bytes"] == 512


BROKEN = [
    ("kernels:", "kernel:", "kernel: expected a known key, found an unknown key; did you mean 'kernels'?"),
    ("riscv: 0", "riscv: 2", "program.yaml:4:12: kernels.riscv: expected a whole number of 0 to 1, found '2'"),
    ("    riscv: 0\n", "", "kernels.riscv: expected this key, found nothing"),
    (
        "file: write.cpp",
        "file: wrte.cpp",
        "kernels.file: expected the source of a kernel, found no such file, wrte.cpp",
    ),
    ("runtime_args", "run_args", "kernels.run_args: expected a known key, found an unknown key; did you mean"),
    ("[[0, 0]]", "[]", "kernels.cores: expected at least one core, found none"),
    ("[[0, 0]]", "[0, 0]", "kernels.cores: expected a core, [x, y], found '0'"),
    ("[[0, 0]]", "[[0, 0], [0, 0]]", "kernels.cores: expected each core once, found (0, 0) again"),
    ("[[0, 0]]", "[[20, 0]]", "kernel 'write': cores: expected a core from (0, 0) to (7, 7) of n150, found (20, 0)"),
    ("[[0, 0]]", "{from: [1, 1], to: [0, 0]}", "expected from a core to one on its right and below"),
    ("address data", "address dta", "expected the name of a tensor or region, found 'dta'; did you mean 'data'?"),
    ("x 1 1", "x 8 8", "kernels.runtime_args[1]: expected a core from (0, 0) to (7, 7), found (8, 8) in 'x 8 8'"),
    (
        "$size]",
        "$siz]",
        "program.yaml:6:48: kernels.runtime_args[3]: expected a parameter, found '$siz'; did you mean '$size'?",
    ),
    ("{size: 256}", "{size: big}", "parameters.size: expected a whole number, found 'big'"),
    ("{size: 256}", "{dram_banks: 256}", "parameters.dram_banks: expected another name"),
    ("bytes: $size * 2", "bytes: 0", "regions.data.bytes: expected a whole number of 1 or more, found '0'"),
    ("bytes: $size * 2", "bytes: 2MiB", "L1 of a core: expected at most"),
    ("pages: 4,", "pages: 1000000000,", "a bank of DRAM: expected at most"),
    ("{counting: 5}}\nt", "{count: 5}}\nt", "regions.data.initial.count: expected a known key"),
    ("{counting: 5}}\nt", "{words: [1, x]}}\nt", "regions.data.initial.words[1]: expected"),
    ("{counting: 5}}\nt", "{from_file: none.bin}}\nt", "expected a file that can be read, found none.bin"),
    ("memory: dram", "memory: sram", "tensors.pages.memory: expected dram or l1, found 'sram'"),
    (
        "pages: 4, page_bytes: 64}",
        "pages: 4, page_bytes: 64, shards: 2}",
        "tensors.pages.shard_cores: expected this key",
    ),
    ("0: {pages: 2", "40: {pages: 2", "buffers: expected an id from 0 to 31, found 40"),
    ("page_bytes: 64}\nexpect", "page_bytes: 64, format: Floot32}\nexpect", "did you mean 'Float32'"),
    ("core: [1, 1], ", "", "expect.core: expected the core of the region, found nothing"),
    (
        "{region: data",
        "{region: dat",
        "expect.region: expected the name of a region, found 'dat'; did you mean 'data'?",
    ),
    ("{region: data", "{tensor: data", "expect.tensor: expected the name of a tensor, found 'data'"),
    ("equals: {counting: 5}", "equals: [1]", "expect.equals: expected zeros, {words: [...]}"),
    ("core: [1, 1], equals", "core: [1, 1], bytes: 4KiB, equals", "expect.bytes: expected a whole number of 1 to 512"),
]


@pytest.mark.parametrize(("good", "bad", "complaint"), BROKEN, ids=[bad.strip() or good for good, bad, _ in BROKEN])
def test_complaint(folder: Path, good: str, bad: str, complaint: str) -> None:
    assert good in GOOD
    assert complaint in complaint_about(folder, GOOD.replace(good, bad, 1))


def test_all_mistakes_at_once(folder: Path) -> None:
    text = complaint_about(folder, GOOD.replace("riscv: 0", "riscv: 7").replace("pages: 2", "pages: 0"))
    assert text.startswith("2 mistakes in program.yaml\n")


def test_two_kernels_on_one_risc(folder: Path) -> None:
    kernel = GOOD.split("kernels:\n")[1].split("regions:")[0]
    text = complaint_about(folder, GOOD.replace("regions:", f"{kernel}regions:"))
    assert "expected one kernel on riscv_0 of core (0, 0), found another one, 'write'" in text


def test_unknown_parameter_on_the_command_line(folder: Path) -> None:
    assert "expected a parameter of program.yaml, found 'sizes'; did you mean 'size'?" in complaint_about(
        folder, GOOD, sizes="3"
    )


def test_what_does_not_fit_is_listed(folder: Path) -> None:
    text = complaint_about(folder, GOOD.replace("bytes: $size * 2", "bytes: 2MiB"))
    assert "region data" in text
    assert "2,097,152 bytes" in text
    assert "buffer 0" in text


def test_wrong_data_name_the_first_byte(folder: Path) -> None:
    path = folder / "program.yaml"
    path.write_text(GOOD.replace("core: [1, 1], equals: {counting: 5}", "core: [1, 1], equals: {counting: 6}"))
    run = run_program(read_program(path, WORMHOLE, {}), WORMHOLE)
    assert "region data, byte 0 (core (1, 1), address 0x10080): expected 0x06" in run.fault
    assert "found 0x05" in run.fault
    assert not run.rows[0]["data_ok"]


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no_such"):
        read_machines(tmp_path / "no_such.yaml")


def test_unknown_architecture(folder: Path) -> None:
    (folder / "program.yaml").write_text(f"arch: wormhole\n{GOOD}")
    with pytest.raises(InputError, match=r"arch: expected one of .*, found 'wormhole'; did you mean 'wormhole_b0'"):
        read_machines(folder / "program.yaml")


def test_what_else_a_program_may_say(folder: Path) -> None:
    """Covers rectangles, additional headers and macros, data from files, and expectations that refer to parts of other
    tensors.
    """
    numpy = pytest.importorskip("numpy")
    numpy.save(folder / "data.npy", numpy.arange(64, dtype=numpy.uint32))
    (folder / "headers").mkdir()
    (folder / "headers" / "place.h").write_text("inline uint32_t place(uint32_t base) { return base + OFFSET; }\n")
    (folder / "put.cpp").write_text(
        '#include "dataflow_api.h"\n#include "place.h"\nvoid kernel_main() {\n'
        "    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(place(get_arg_val<uint32_t>(0))) =\n"
        "        get_arg_val<uint32_t>(1) + get_arg_val<uint32_t>(2);\n}\n"
    )
    (folder / "program.yaml").write_text("""\
name: several things
arch: [blackhole]
parameters: {gap: 8}
include_directories: [headers]
defines: {OFFSET: "$gap * 2", UNUSED: }
optimization: Os
kernels:
  - {file: put.cpp, riscv: 0, cores: {from: [1, 1], to: [2, 3]}, runtime_args: [address words, $core_index],
     each_core: [[10], [20], [30], [40], [50], [60]]}
regions:
  words: {bytes: 32, initial: {words: [7]}}
tensors:
  source: {memory: dram, pages: 4, page_bytes: 64, initial: {from_file: data.npy}}
  same: {memory: l1, pages: [2, 2], page_bytes: 64, shards: [1, 2], shard_cores: [[0, 0], [1, 0]],
         initial: {counting: 0}}
expect:
  - {tensor: source, equals: {tensor: same}}
  - {tensor: source, offset_bytes: 64, bytes: 64, equals: {tensor: same, offset_bytes: 64}}
  - {region: words, core: [2, 3], equals: {words: [7, 0, 0, 0, 65]}}
  - {region: words, core: [0, 0], equals: {words: [7]}}
""")
    assert read_machines(folder / "program.yaml") == (["blackhole"], "")
    machine = Machine("blackhole")
    run = run_program(read_program(folder / "program.yaml", machine, {}), machine)
    assert run.fault == ""
    assert run.rows[0]["test"] == "several things"
    assert run.rows[0]["num_cores"] == 6
