"""The check of one-way dependencies finds violations."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[3] / ".ci" / "check_rooms.py"


def complaints(root: Path) -> tuple[int, list[str]]:
    finished = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)
    assert finished.stderr == ""
    return finished.returncode, finished.stdout.splitlines()


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "device_model/sim/time.h", "// nothing\n")
    write(tmp_path, "device_model/noc/network.h", '#include "device_model/sim/time.h"\n')
    write(tmp_path, "scripts/nocbench/support/units.py", "")
    write(tmp_path, "scripts/nocbench/gating/policy.py", "from nocbench.support import units\n")
    return tmp_path


def test_this_checkout() -> None:
    assert complaints(CHECK.parents[1]) == (0, [])


def test_downward_is_fine(root: Path) -> None:
    assert complaints(root) == (0, [])


@pytest.mark.parametrize(
    ("name", "included"),
    [
        ("device_model/sim/time.h", "device_model/noc/network.h"),
        ("device_model/noc/network.h", "device_model/noc/engine/router.h"),
        ("device_model/epiphany/mesh.h", "device_model/tenstorrent/device.h"),
        ("device_model/tenstorrent/device.cpp", "kernels/frame/point.h"),
        ("kernels/tensix/program.h", "kernels/frame/primitive.h"),
        ("one_to_one/definition.cpp", "one_to_all/kernels/kernels.h"),
        ("loopback/kernels/sender.cpp", "bindings/trace.h"),
        ("device_model/tenstorrent/device.cpp", "device_model/noc/packet_level/packet_level_network.h"),
        ("device_model/noc/packet_level/packets.cpp", "device_model/noc/engine/window_network.h"),
        ("pages/one/definition.cpp", "pages/other/kernels.h"),
    ],
)
def test_an_include_that_runs_upward(root: Path, name: str, included: str) -> None:
    write(root, "pages/other/definition.cpp", "")
    write(root, name, f'// A file.\n#include "{included}"\n')
    status, lines = complaints(root)
    assert status == 1
    assert len(lines) == 1
    assert lines[0].startswith(f"{name}:2: ")
    assert lines[0].endswith(f"may not include {included}")


def test_what_makes_networks_includes_them(root: Path) -> None:
    write(root, "device_model/noc/make_network.cpp", '#include "device_model/noc/engine/window_network.h"\n')
    assert complaints(root) == (0, [])


def test_a_folder_of_the_device_model_without_a_row(root: Path) -> None:
    write(root, "device_model/quantum/spin.h", "")
    assert complaints(root) == (1, ["device_model/quantum: expected a row in MAY_INCLUDE, found none"])


def test_an_import_that_runs_upward(root: Path) -> None:
    write(root, "scripts/nocbench/support/units.py", "\n\ndef f():\n    from nocbench.gating import policy\n")
    status, lines = complaints(root)
    assert status == 1
    where = "scripts/nocbench/support/units.py:4"
    assert lines[0] == f"{where}: nocbench.support.units may not import nocbench.gating.policy"
    assert lines[1].startswith("a circle of imports: ")


def test_a_circle_within_a_package(root: Path) -> None:
    write(root, "scripts/nocbench/gating/policy.py", "from typing import TYPE_CHECKING\nimport nocbench.gating.run\n")
    write(root, "scripts/nocbench/gating/run.py", "from nocbench.gating.policy import Policy\n")
    status, lines = complaints(root)
    assert status == 1
    assert len(lines) == 1
    assert "nocbench.gating.policy" in lines[0]
    assert "nocbench.gating.run" in lines[0]


def test_a_crowded_folder(root: Path) -> None:
    for number in range(20):
        write(root, f"device_model/sim/part_{number}.cpp", "")
    assert complaints(root) == (1, ["device_model/sim: 21 sources, at most 20 are wanted"])


def test_no_checkout(tmp_path: Path) -> None:
    finished = subprocess.run([sys.executable, CHECK, tmp_path], capture_output=True, text=True, check=False)
    assert finished.returncode == 2
    assert "expected a checkout" in finished.stderr
