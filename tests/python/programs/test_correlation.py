"""Expectations of tiles that are nearly right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
import pytest

from nocbench import InputError, Program, WrongDataWarning, correlation, tilize

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

VALUES = numpy.random.default_rng(1).uniform(-1, 1, (32, 64)).astype("float32")
NOISY = VALUES + numpy.random.default_rng(2).normal(0, 0.02, VALUES.shape).astype("float32")

PROGRAM = """
kernels:
  - {file: nothing.cpp, riscv: 0, cores: [[0, 0]]}
buffers:
  0: {pages: 2, page_bytes: 2048, format: Float16_b, initial: {from_file: noisy.bin}}
tensors:
  tiles: {memory: dram, pages: 2, page_bytes: 2048, initial: {from_file: noisy.bin}}
expect:
  - ENTRY
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "noisy.bin").write_bytes(tilize(NOISY))
    (tmp_path / "values.bin").write_bytes(tilize(VALUES))
    (tmp_path / "nothing.cpp").write_text("void kernel_main() {}\n")
    return tmp_path / "program.yaml"


def entry(of: str, then: str) -> str:
    return f"{{{of}, equals: {{from_file: values.bin}}{then}}}"


OF_TENSOR = "tensor: tiles"
OF_BUFFER = "buffer: 0, core: [0, 0]"


@pytest.mark.parametrize(
    ("of", "then", "status"),
    [
        (OF_TENSOR, "", 1),
        (OF_TENSOR, ", correlation: 0.999, format: Float16_b", 0),
        (OF_TENSOR, ", correlation: 0.9999, format: Float16_b", 1),
        (OF_BUFFER, ", correlation: 0.999", 0),
        (OF_BUFFER, ", correlation: 1", 1),
    ],
)
def test_a_correlation_is_enough(run_program: CommandLine, program: Path, of: str, then: str, status: int) -> None:
    assert 0.999 < correlation(NOISY, VALUES) < 0.9999
    program.write_text(PROGRAM.replace("ENTRY", entry(of, then)))
    done = run_program("kernel", program, "--arch", "blackhole")
    assert done.status == status, done.err
    if status == 1 and then:
        least = then.split()[2].rstrip(",")
        found = f"correlation with the expected tiles: expected at least {float(least)}, found 0.99"
        assert f"program.yaml:9:5: expect: {found}" in done.out + done.err


@pytest.mark.parametrize(
    ("of", "then", "message"),
    [
        (
            OF_TENSOR,
            ", correlation: 1.5, format: Float16_b",
            "expect.correlation: expected a number above 0 and up to 1, found",
        ),
        (
            OF_TENSOR,
            ", correlation: nan, format: Float16_b",
            "expect.correlation: expected a number above 0 and up to 1, found",
        ),
        (
            OF_TENSOR,
            ", correlation: high, format: Float16_b",
            "expect.correlation: expected a number above 0 and up to 1, found",
        ),
        (OF_TENSOR, ", correlation: 0.9", "expect.format: expected the format of the tiles, found none"),
        (OF_TENSOR, ", correlation: 0.9, format: Float16b", "did you mean 'Float16_b'"),
        (
            OF_TENSOR,
            ", correlation: 0.9, format: Bfp8_b",
            "expect.format: expected whole tiles of 1,088 bytes, found 4,096 bytes",
        ),
        (OF_TENSOR, ", format: Float16_b", "expect.format: expected it beside a correlation, found none"),
    ],
)
def test_bad_values_are_refused(run_program: CommandLine, program: Path, of: str, then: str, message: str) -> None:
    program.write_text(PROGRAM.replace("ENTRY", entry(of, then)))
    done = run_program("kernel", program, "--arch", "blackhole")
    assert done.status == 2
    assert message in done.err


def python_program() -> Program:
    program = Program("wormhole_b0")
    program.tensor("tiles", pages=2, page_bytes=2048, initial=tilize(NOISY))
    program.kernel("void kernel_main() {}\n", riscv=0)
    return program


def test_in_python() -> None:
    program = python_program()
    program.expect("tiles", tilize(VALUES), correlation=0.999, data_format="Float16_b")
    assert program.run().data_ok
    program.expect("tiles", tilize(VALUES), correlation=0.9999, data_format="Float16_b")
    with pytest.warns(WrongDataWarning, match="correlation with the expected tiles: expected at least 0.9999"):
        assert not program.run().data_ok
    with pytest.raises(InputError, match="expected the format of the tiles, found none"):
        program.expect("tiles", tilize(VALUES), correlation=0.999)
    with pytest.raises(InputError, match="expected it beside a correlation, found none"):
        program.expect("tiles", tilize(VALUES), data_format="Float16_b")
