"""Fixtures: where compiled kernels are kept, and kernels written on the spot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import device_programs
import pytest

from nocbench.compiling.request import KernelRequest

if TYPE_CHECKING:
    from pathlib import Path

MakeRequest = Callable[..., KernelRequest]


@pytest.fixture(autouse=True)
def kept_kernels(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Compiled kernels are kept for one run of the tests, by each of its processes."""
    directory = tmp_path_factory.getbasetemp() / "kept kernels"
    monkeypatch.setenv("NOCBENCH_CACHE", str(directory))
    return directory


@pytest.fixture
def make_request(tmp_path: Path) -> MakeRequest:
    """Writes a source and makes a request of it: for Wormhole's riscv_0, unless the test says otherwise."""

    def make(text: str, **changes: object) -> KernelRequest:
        source = tmp_path / "kernel.cpp"
        source.write_text(text, encoding="utf-8")
        architecture = str(changes.get("architecture", "wormhole_b0"))
        settings: dict[str, object] = {
            "source": source,
            "architecture": architecture,
            "riscv": 0,
            "noc": 0,
            "num_dram_banks": device_programs.DRAM_BANKS.get(architecture, 1),
            "num_l1_banks": device_programs.L1_BANKS.get(architecture, 1),
        }
        return KernelRequest(**(settings | changes))  # type: ignore[arg-type]

    return make
