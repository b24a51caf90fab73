"""A program that is launched again must leave its semaphores as it found them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench.checks.findings import findings_of
from nocbench.compiling.request import ARCHITECTURES
from nocbench.programs.execution import Machine, Watch, run_program
from nocbench.programs.program_file import read_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.checks.findings import Finding

SENDER = """#include "dataflow_api.h"
void kernel_main() {
    noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_semaphore(0)), 1);
    noc_async_atomic_barrier();
}
"""
RECEIVER = """#include "dataflow_api.h"
void kernel_main() {
    auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
    noc_semaphore_wait(ready, 4);
    SETS_BACK
}
"""
PROGRAM = """\
kernels:
  - {file: sender.cpp, riscv: 0, cores: [[0, 0]], runtime_args: [x 1 1, y 1 1]}
  - {file: receiver.cpp, riscv: 1, cores: [[1, 1]]}
semaphores: {0: {name: ready, initial: 3}}
"""


def found(folder: Path, arch: str, *, sets_back: str = "", program: str = "") -> list[Finding]:
    (folder / "sender.cpp").write_text(SENDER)
    (folder / "receiver.cpp").write_text(RECEIVER.replace("SETS_BACK", sets_back))
    path = folder / "program.yaml"
    path.write_text(program + PROGRAM)
    machine = Machine(arch)
    run = run_program(read_program(path, machine, {}), machine, watch=Watch(["synccheck"]))
    return findings_of(run.checked)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_a_semaphore_that_is_left_is_found_if_the_program_is_launched_again(tmp_path: Path, arch: str) -> None:
    (finding,) = found(tmp_path, arch, program="launched_again: yes\n")
    assert finding.kind == (
        "semaphore ready is 4 at the end of the program and was 3 at its beginning, and the next launch begins with it:"
        " expected it to be set back"
    )
    assert finding.second.core == (1, 1)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_it_may_be_left_if_the_host_sets_it_for_each_launch(tmp_path: Path, arch: str) -> None:
    assert found(tmp_path, arch) == []
    assert found(tmp_path, arch, program="launched_again: no\n") == []
    assert found(tmp_path, arch, program="launched_again: yes\n", sets_back="noc_semaphore_set(ready, 3);") == []


def test_it_is_yes_or_no(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"program.yaml:1:17: launched_again: expected yes or no, found 'twice'"):
        found(tmp_path, "wormhole_b0", program="launched_again: twice\n")
