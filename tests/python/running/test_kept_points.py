"""Results are kept between runs, and equal computed ones."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import fake_core
import pytest
from conftest import FAKE_INSTALLATION, environment

import nocbench
from nocbench.points.selection import select_points
from nocbench.running import inputs, kept_points
from nocbench.running.engines.in_process import InProcess
from nocbench.running.execution import run_points
from nocbench.running.kept_points import KeptPoints
from nocbench.support import kept_files
from nocbench.support.kept_files import KeptFiles

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from conftest import CommandLine, Completed
    from small_suite import WriteSuite

FEW = ("run", "4", "-j0", "--arch", "blackhole", "-a", "num_transactions=1,16")
SWEEP = (*FEW, "-a", "call_size=64,128")
NUM_POINTS = 4


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOCBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NOCBENCH_NO_CACHE")
    monkeypatch.setenv(fake_core.LOG, str(tmp_path / "log"))
    return tmp_path / "cache" / "points"


@pytest.fixture
def num_computed(tmp_path: Path) -> NumComputed:
    return NumComputed(tmp_path / "log")


class NumComputed:
    """Counter of the points computed since the last call."""

    def __init__(self, log: Path) -> None:
        self._log = log

    def __call__(self) -> int:
        number = len(self._log.read_text().splitlines()) if self._log.exists() else 0
        self._log.unlink(missing_ok=True)
        return number


def files_in(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_the_second_time_nothing_is_computed(run_here: CommandLine, tmp_path: Path, num_computed: NumComputed) -> None:
    written: list[dict[str, bytes]] = []
    printed: list[str] = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        completed = run_here(*SWEEP, "-o", folder / "results.csv", "--detail", folder / "details", "--json")
        assert completed.status == 0
        written.append(files_in(folder))
        printed.append(completed.out)
        assert num_computed() == (0 if number else NUM_POINTS)
    assert f"{NUM_POINTS} of {NUM_POINTS} points kept from earlier runs" in completed.err
    assert written[0] == written[1]
    assert len(written[0]) == 1 + NUM_POINTS
    assert printed[0] == printed[1]


def test_a_run_takes_what_it_can(run_here: CommandLine, num_computed: NumComputed) -> None:
    run_here(*SWEEP)
    num_computed()
    with_more = run_here(*FEW, "-a", "call_size=64,128,256", "-o", "-")
    assert num_computed() == 2
    anew = run_here(*FEW, "-a", "call_size=64,128,256", "-o", "-", "--no-cache")
    assert num_computed() == 6
    assert with_more.out == anew.out


def test_the_revision_is_that_of_the_run_that_asks(
    run_here: CommandLine, monkeypatch: pytest.MonkeyPatch, num_computed: NumComputed
) -> None:
    for revision in ("000000000000", "111111111111"):
        monkeypatch.setattr("nocbench.support.revision.revision", lambda revision=revision: revision)
        rows = run_here(*SWEEP, "-o", "-").out.splitlines()[1:]
        assert all(row.endswith(f",{revision}") for row in rows)
    assert num_computed() == NUM_POINTS


@pytest.mark.parametrize("way", ["option", "variable"])
def test_without(
    way: str, run_here: CommandLine, monkeypatch: pytest.MonkeyPatch, own_cache: Path, num_computed: NumComputed
) -> None:
    options = ["--no-cache"] if way == "option" else []
    if way == "variable":
        monkeypatch.setenv("NOCBENCH_NO_CACHE", "1")
    for _ in range(2):
        run_here(*SWEEP, *options)
        assert num_computed() == NUM_POINTS
    assert not own_cache.exists()


def test_in_python(fake_simulator: ModuleType, num_computed: NumComputed) -> None:
    del fake_simulator

    def run(*, no_cache: bool = False) -> object:
        return nocbench.run(4, arch="blackhole", call_size=64, num_transactions=[1, 16], jobs=0, no_cache=no_cache)

    assert run().equals(run())  # type: ignore[attr-defined]
    assert num_computed() == 2
    run(no_cache=True)
    assert num_computed() == 2


@pytest.mark.parametrize("fault", ["wrong_data", "impossible", "raise"])
def test_what_has_a_fault_is_computed_again(fault: str, run_here: CommandLine, num_computed: NumComputed) -> None:
    completed: list[Completed] = []
    for _ in range(2):
        completed.append(run_here(*SWEEP, "-a", f"fault={fault}"))
        assert num_computed() == NUM_POINTS
    assert completed[0].status == completed[1].status != 0


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "of something else", "an older version"])
def test_a_damaged_file_is_ignored(
    damage: str, run_here: CommandLine, own_cache: Path, num_computed: NumComputed
) -> None:
    before = run_here(*SWEEP, "-o", "-")
    num_computed()
    files = sorted(own_cache.iterdir())
    content = files[0].read_bytes()
    damaged = {
        "empty": b"",
        "cut": content[:-3],
        "flipped": content.replace(b"latency_cycles", b"latency_cyclee"),
        "of something else": b"nothing",
        "an older version": content.replace(b"nocbench point 1", b"nocbench point 0"),
    }[damage]
    assert damaged != content
    files[0].write_bytes(damaged)
    assert run_here(*SWEEP, "-o", "-").out == before.out
    assert num_computed() == 1
    assert files[0].read_bytes().startswith(b"nocbench point 1\n")  # repaired
    run_here(*SWEEP)
    assert num_computed() == 0


def test_where_nothing_can_be_kept(
    run_here: CommandLine, monkeypatch: pytest.MonkeyPatch, num_computed: NumComputed
) -> None:
    monkeypatch.setenv("NOCBENCH_CACHE", "/proc/no such place")
    for _ in range(2):
        assert run_here(*SWEEP).status == 0
        assert num_computed() == NUM_POINTS


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOCBENCH_CACHE", str(tmp_path / "bounded"))
    kept = KeptFiles("thing", 1, 10 * 4096)
    for number in range(40):
        kept.store(f"{number:02}", {"number": number})
        kept.mark_used("00")
        kept.shrink()
        sizes = [512 * path.stat().st_blocks for path in kept.directory.iterdir()]
        assert sum(sizes) <= kept.bytes_max
    assert kept.load("00") == ({"number": 0}, b"")
    assert kept.load("01") is None
    assert kept.load("39") == ({"number": 39}, b"")


def test_a_run_keeps_the_bound(
    run_here: CommandLine, monkeypatch: pytest.MonkeyPatch, own_cache: Path, num_computed: NumComputed
) -> None:
    monkeypatch.setattr(kept_points, "BYTES_MAX", 4 * 4096)
    monkeypatch.setattr(kept_files, "SHRINK_EVERY", 1)
    assert run_here(*FEW, "-a", "call_size=64:3840:+64").status == 0
    assert num_computed() == 120
    assert 0 < sum(512 * path.stat().st_blocks for path in own_cache.iterdir()) <= 5 * 4096


def test_what_a_killed_process_left_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOCBENCH_CACHE", str(tmp_path / "left"))
    kept = KeptFiles("thing", 1, 2**20)
    kept.store("a", {})
    for name, seconds in (("old", 10_000), ("new", 0)):
        path = kept.directory / f".a.thing.{name}.tmp"
        path.write_bytes(b"half")
        os.utime(path, (path.stat().st_atime - seconds, path.stat().st_mtime - seconds))
    kept.shrink()
    assert sorted(path.name for path in kept.directory.iterdir()) == [".a.thing.new.tmp", "a.thing"]


def test_two_runs_at_once(own_cache: Path, tmp_path: Path, num_computed: NumComputed) -> None:
    command = [
        sys.executable,
        "-m",
        "nocbench",
        "run",
        "4",
        "--arch",
        "blackhole",
        "-j2",
        "-a",
        "num_transactions=1:99:+1",
    ]
    runs = [
        subprocess.Popen(
            [*command, "-o", tmp_path / f"{number}.csv"],
            env=environment(*FAKE_INSTALLATION),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in range(3)
    ]
    assert [run.wait() for run in runs] == [0, 0, 0]
    contents = [(tmp_path / f"{number}.csv").read_bytes() for number in range(3)]
    assert contents[0] == contents[1] == contents[2]
    num_points = len(contents[0].splitlines()) - 1
    assert num_computed() >= num_points
    assert len(list(own_cache.iterdir())) == num_points
    subprocess.run([*command, "-o", tmp_path / "4.csv"], env=environment(*FAKE_INSTALLATION), check=True)
    assert (tmp_path / "4.csv").read_bytes() == contents[0]
    assert num_computed() == 0


def test_what_changed_meanwhile_is_not_kept(
    fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch, own_cache: Path
) -> None:
    """Simulates a rebuild of the simulator between look-up and storage."""
    del fake_simulator
    points = select_points(["4"], tier="quick", architectures=["blackhole"])
    kept = KeptPoints(points, whole=False, with_details=False, but=())
    assert not kept.taken
    monkeypatch.setattr(inputs, "_libraries", lambda: ["another one"])
    inputs._simulator_digest.cache_clear()
    assert len(run_points(points, InProcess(), kept=kept).rows) == len(points)
    assert not own_cache.exists()


def test_kernels_that_change_in_a_notebook(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process looks up twice: the second time, headers are checked again."""
    del fake_simulator
    states = ["one", "two"]
    monkeypatch.setattr("nocbench.compiling.toolchain.installed_files", lambda _: (states.pop(), ()))
    points = select_points(["4"], tier="quick", architectures=["blackhole"])
    digests = []
    for _ in range(2):
        KeptPoints(points, whole=False, with_details=False, but=())
        files = inputs.kernel_files(points[0])
        assert files is not None
        digests.append(files.digest)
    assert digests[0] != digests[1]


def test_compiled_kernels(write_suite: WriteSuite, run_program: CommandLine, own_cache: Path) -> None:
    """On the real simulator, a kernel's result is kept, and computed again when one of its headers has changed."""
    directory = write_suite()

    def run() -> Completed:
        completed = run_program("run", "--suite", directory, "--tier", "quick", "-j0", "-o", "-")
        assert completed.status == 0
        return completed

    first = run()
    assert "kept from earlier runs" not in first.err
    assert len(list(own_cache.iterdir())) == 4  # for each point, a result, and a mark that its kernels are compiled
    second = run()
    assert "2 of 2 points kept from earlier runs" in second.err
    assert second.out == first.out
    (directory / "kernels" / "count.h").write_text("#pragma once\nconstexpr int kMore = 1;\n")
    third = run()
    assert "kept from earlier runs" not in third.err


def test_kernels_of_files_that_are_not_known_are_not_kept(
    write_suite: WriteSuite, run_program: CommandLine, tmp_path: Path
) -> None:
    """Includes a header that only the compiler finds: its absolute path is composed by macros."""
    hidden = tmp_path / "elsewhere" / "hidden.h"
    hidden.parent.mkdir()
    hidden.write_text("#define TWICE 2\n")
    directory = write_suite()
    kernel = directory / "kernels" / "count.h"
    kernel.write_text(f'#pragma once\n#/**/include "{hidden}"\n')
    for _ in range(2):
        completed = run_program("run", "--suite", directory, "--tier", "quick", "-j0", "-o", "-")
        assert completed.status == 0
        assert "kept from earlier runs" not in completed.err


def test_kernels_of_the_suite(run_program: CommandLine, own_cache: Path) -> None:
    command = ("run", "Core Bidirectional Directed Ideal Same Kernel", "--arch", "blackhole", "-j0", "-o", "-")
    point = ("-a", "num_transactions=1", "-a", "call_size=64")
    first = run_program(*command, *point)
    assert first.status == 0, first.err
    assert len(list(own_cache.iterdir())) == 2
    second = run_program(*command, *point)
    assert "1 of 1 point kept from earlier runs" in second.err
    assert second.out == first.out
