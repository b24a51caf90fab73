"""DRAM banks in programs: their coordinates, and the cores next to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import nocbench
from nocbench.architectures.memories import memories_of
from nocbench.programs.execution import Machine, run_program
from nocbench.programs.program_file import read_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

# Reads a word of a bank by coordinates, which must be those that get_noc_addr_from_bank_id finds.
READ = """#include "dataflow_api.h"
void kernel_main() {
    const uint32_t bank = get_arg_val<uint32_t>(0);
    const uint32_t address = get_arg_val<uint32_t>(1);
    const uint32_t target = get_arg_val<uint32_t>(2);
    const uint64_t place =
        get_noc_addr(get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4), address + get_arg_val<uint32_t>(5));
    ASSERT(place == get_noc_addr_from_bank_id<true>(bank, address));
    noc_async_read(place, target, 64);
    noc_async_read_barrier();
}
"""
FILE = """\
kernels:
  - file: read.cpp
    riscv: 1
    cores: {next_to_banks: all}
    runtime_args: [$core_index, address pages, address target,
                   bank_x $core_index, bank_y $core_index, bank_offset $core_index]
  - {file: read.cpp, riscv: 0, cores: {next_to_banks: [2], noc: 1}, runtime_args:
       [2, address pages, address other, bank_x 2, bank_y 2, bank_offset 2]}
regions:
  target: {bytes: 64}
  other: {bytes: 64, initial: [{cores: {next_to_banks: [1]}, words: [next_to_bank_x 1, next_to_bank_y 1, bank_x 1]}]}
tensors:
  pages: {memory: dram, pages: $dram_banks, page_bytes: 64, initial: {counting: 0}}
"""


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
def test_kernels_next_to_all_banks(tmp_path: Path, arch: str) -> None:
    (tmp_path / "read.cpp").write_text(READ)
    path = tmp_path / "program.yaml"
    places = memories_of(arch).next_to_banks
    expect = [
        f"  - {{region: target, core: {list(core)}, equals: {{counting: {bank * 16}}}}}"
        for bank, core in enumerate(places[1])
    ]
    x, y = places[0][1]
    words = f"[{x}, {y}, bank_x 1]"
    expect.append(f"  - {{region: other, core: [{x}, {y}], equals: {{words: {words}}}}}")
    core = list(places[1][2])
    expect.append(f"  - {{region: other, core: {core}, equals: {{region: target, core: {core}}}}}")
    path.write_text(f"{FILE}expect:\n" + "\n".join(expect) + "\n")
    run = run_program(read_program(path, Machine(arch), {}), Machine(arch))
    assert run.fault == ""
    first, second = run.program.kernels
    assert first.cores == places[1]  # those of the kernel's own NoC
    assert second.cores == (places[1][2],)


@pytest.mark.parametrize("noc", [0, 1])
def test_a_program_composed_in_python(noc: int) -> None:
    program = nocbench.Program("wormhole_b0")
    program.tensor("pages", pages=12, page_bytes=64, initial=range(12 * 16))
    program.region("target", 64)
    cores = program.cores_next_to_banks(noc=noc)
    assert program.cores_next_to_banks([3, 0], noc=noc) == [cores[3], cores[0]]
    words = ("bank_x", "bank_y", "bank_offset")
    arguments = ["$core_index", "address pages", "address target", *(f"{word} $core_index" for word in words)]
    program.kernel(READ, name="read", cores=cores, riscv=noc, runtime_args=arguments)
    for bank, core in enumerate(cores):
        program.expect("target", range(bank * 16, bank * 16 + 16), core=core)
    assert program.run().data_ok


BROKEN = [
    (
        "next_to_banks: all",
        "next_to_banks: [0, 12]",
        "4:32: kernels.cores.next_to_banks: expected a whole number of 0 to",
    ),
    ("next_to_banks: all", "next_to_banks: [0, 0]", "kernels.cores.next_to_banks: expected each core once, found"),
    ("next_to_banks: all", "next_to_banks: []", "kernels.cores.next_to_banks: expected at least one bank, found none"),
    ("next_to_banks: all", "next_to_bank: all", "kernels.cores.next_to_bank: expected a known key"),
    ("[2], noc: 1", "[2], noc: 2", "kernels.cores.noc: expected a whole number of 0 to 1, found '2'"),
    ("bank_x 2", "bank_x 12", "runtime_args[3]: expected a DRAM bank from 0 to 11, found 12 in 'bank_x 12'"),
]


@pytest.mark.parametrize(("good", "bad", "complaint"), BROKEN, ids=[bad for _, bad, _ in BROKEN])
def test_complaint(tmp_path: Path, good: str, bad: str, complaint: str) -> None:
    (tmp_path / "read.cpp").write_text(READ)
    assert good in FILE
    path = tmp_path / "program.yaml"
    path.write_text(FILE.replace(good, bad, 1))
    with pytest.raises(InputError) as caught:
        read_program(path, Machine("wormhole_b0"), {})
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"banks": [12]}, "cores_next_to_banks: expected banks from 0 to 11, found 12"),
        ({"noc": 2}, "cores_next_to_banks: noc: expected 0 or 1, found 2"),
    ],
)
def test_complaint_about_banks(arguments: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        nocbench.Program("wormhole_b0").cores_next_to_banks(**arguments)  # type: ignore[arg-type]
