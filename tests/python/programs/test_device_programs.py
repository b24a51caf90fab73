"""Every program of tests/device_kernels runs on both chips with right data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from device_programs import program_files

from nocbench.compiling.request import ARCHITECTURES
from nocbench.programs.execution import Machine, run_program
from nocbench.programs.program_file import read_program
from nocbench.programs.source_lines import lines_of, median_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("path", program_files(), ids=lambda path: path.stem)
def test_program_gives_what_is_expected(path: Path, arch: str) -> None:
    machine = Machine(arch)
    program = read_program(path, machine, {})
    assert program.expect
    run = run_program(program, machine)
    assert run.fault == ""
    assert [row["kernel"] for row in run.rows] == [kernel.name for kernel in program.kernels]
    for row in run.rows:
        assert row["data_ok"]
        assert row["primitive"] == "kernel"
        assert row["test"] == path.stem
        kernel = median_of(run.kernels, row["kernel"], run.result["cores"])
        lines = lines_of(run, kernel)
        # All cycles are attributed to lines, nearly all to the user's own lines.
        assert sum(line.cycles for line in lines) == pytest.approx(
            row["latency_cycles"], abs=2 + row["num_cores"] * 400
        )
        assert sum(line.share for line in lines) == pytest.approx(1.0)
        assert sum(line.share for line in lines if line.file) > 0.4
