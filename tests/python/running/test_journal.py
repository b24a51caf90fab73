"""Journal of a run: a crash, a kill or a full disk costs only the points in progress."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import fake_core
import pytest
from conftest import FAKE_INSTALLATION, environment

from nocbench.compiling.choice import chosen_compiler, compiled_by
from nocbench.points import kernel_compilers
from nocbench.points.point import Point
from nocbench.running import journal as journal_module
from nocbench.running.journal import Journal, journal_path
from nocbench.running.outcomes import Measured
from nocbench.running.running_costs import RunningCost
from nocbench.support import device_files
from nocbench.support.columns import PROGRAM_COLUMNS
from nocbench.support.errors import InputError
from nocbench.support.revision import identity, revision

if TYPE_CHECKING:
    from conftest import CommandLine

SWEEP = ["run", "4", "5", "dram_unary", "--arch", "blackhole"]  # 36 points
SLOW_SWEEP = [*SWEEP, "-a", "fault=slow", "-a", "num_transactions=1:9:+1"]  # 108 points of 0.02 s


def make_points(count: int = 5) -> list[Point]:
    return [Point("blackhole", "", "One to One Packet Sizes", (("num_transactions", str(n)),)) for n in range(count)]


def measured(number: int, details: str = "") -> Measured:
    row = dict.fromkeys(journal_module._COLUMNS, "") | {"latency_cycles": number + 0.1, "data_ok": number != 3}
    data_faults = ["byte 5: expected 0x12, found 0x34" if number == 3 else ""]
    return Measured([row], data_faults, details, RunningCost(points=1, cpu_seconds=0.5))


def write_journal(path: Path, points: list[Point], count: int, *, whole: bool = False) -> None:
    with Journal(path, points, whole=whole) as journal:
        for number in range(count):
            journal.record(points[number], measured(number))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.csv.journal"


class TestJournal:
    def test_takes_over_what_finished(self, path: Path) -> None:
        points = make_points()
        write_journal(path, points, 4)
        with Journal(path, points, whole=False) as journal:
            assert journal.taken == {number: measured(number) for number in range(4)}
            assert journal.notes == [f"4 of 5 points taken over from {path}"]
            journal.record(points[4], measured(4))
        with Journal(path, points, whole=False) as journal:
            assert sorted(journal.taken) == [0, 1, 2, 3, 4]
            journal.is_complete = True
        assert not path.exists()

    def test_rows_of_programs_that_compute(self, path: Path) -> None:
        points = make_points(1)
        finished = measured(0)
        finished.rows[0] |= {column.name: 1 for column in PROGRAM_COLUMNS}
        with Journal(path, points, whole=False) as journal:
            journal.record(points[0], finished)
        with Journal(path, points, whole=False) as journal:
            assert journal.taken == {0: finished}

    def test_nothing_finished_leaves_nothing(self, path: Path) -> None:
        write_journal(path, make_points(), 0)
        assert not path.exists()

    def test_other_points_are_left_alone(self, path: Path) -> None:
        points = make_points()
        write_journal(path, points, 4)
        with Journal(path, points[3:], whole=False) as journal:
            assert sorted(journal.taken) == [0]
            assert journal.notes[1] == (
                f"3 points in {path} not used: of other sources than those of {revision()}, or not of this run"
            )
            journal.record(points[4], measured(4))
        with Journal(path, points, whole=False) as journal:
            assert sorted(journal.taken) == [0, 1, 2, 3, 4]

    def test_whole_and_shortened_points_are_different(self, path: Path) -> None:
        write_journal(path, make_points(), 4)
        with Journal(path, make_points(), whole=True) as journal:
            assert journal.taken == {}

    def test_a_kernel_that_has_changed(self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The suite's kernels are compiled when points run, so the revision has "+" before and afterwards."""
        monkeypatch.setattr(device_files, "PACKAGE", tmp_path / "scripts" / "nocbench")
        kernel = tmp_path / "atomic_semaphore" / "kernels" / "device" / "sender.cpp"
        kernel.parent.mkdir(parents=True)
        points = make_points()
        taken = []
        for content in ("int a;", "int b;", "int b;"):
            kernel.write_text(content)
            identity.cache_clear()
            with Journal(path, points, whole=False) as journal:
                taken.append(sorted(journal.taken))
                for number in range(4):
                    journal.record(points[number], measured(number))
        identity.cache_clear()
        assert taken == [[], [], [0, 1, 2, 3]]

    def test_another_compiler(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Only points with compiled kernels run again."""
        compiled = "One to One Packet Sizes 2.0"
        monkeypatch.setattr(
            kernel_compilers, "compiler_of", lambda test: str(chosen_compiler()) if test == compiled else ""
        )
        points = [replace(make_points()[4], test=test) for test in ("One to One Packet Sizes", compiled)]
        taken = []
        for compiler in ("first", "second", "second"):
            with compiled_by(Path(compiler)), Journal(path, points, whole=False) as journal:
                taken.append(sorted(journal.taken))
                for number, point in enumerate(points):
                    journal.record(point, measured(number))
        assert taken == [[], [0], [0, 1]]

    def test_another_revision(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_journal(path, make_points(), 4)
        monkeypatch.setattr(journal_module, "identity", lambda: "0123456789ab+:changed")
        with Journal(path, make_points(), whole=False) as journal:
            assert journal.taken == {}
            assert journal.notes[0].startswith(f"4 points in {path} not used: of other sources than those of ")
        monkeypatch.undo()
        with Journal(path, make_points(), whole=False) as journal:  # at the first revision again
            assert len(journal.taken) == 4

    def test_restart(self, path: Path) -> None:
        write_journal(path, make_points(), 4)
        with Journal(path, make_points(), whole=False, restart=True) as journal:
            assert journal.taken == {}
            assert journal.notes == []

    @pytest.mark.parametrize("cut", [1, 2, 50])
    def test_a_truncated_last_line(self, path: Path, cut: int) -> None:
        points = make_points()
        write_journal(path, points, 4)
        path.write_bytes(path.read_bytes()[:-cut])
        with Journal(path, points, whole=False) as journal:
            assert sorted(journal.taken) == [0, 1, 2]
            assert journal.notes[0] == f"{path}: the last line was not written whole and is dropped"
            journal.record(points[3], measured(3))
        with Journal(path, points, whole=False) as journal:
            assert sorted(journal.taken) == [0, 1, 2, 3]

    def test_every_truncation_can_be_read(self, path: Path) -> None:
        points = make_points()
        write_journal(path, points, 2)
        data = path.read_bytes()
        for size in [*range(0, len(data), 11), len(data) - 1]:
            path.write_bytes(data[:size])
            with Journal(path, points, whole=False) as journal:
                assert len(journal.taken) == max(0, data[:size].count(b"\n") - 1)

    @pytest.mark.parametrize("line", [0, 2])
    def test_a_damaged_line(self, path: Path, line: int) -> None:
        write_journal(path, make_points(), 4)
        lines = path.read_bytes().splitlines(keepends=True)
        lines[line] = lines[line].replace(b"0", b"1", 1)
        path.write_bytes(b"".join(lines))
        with pytest.raises(InputError) as error:
            Journal(path, make_points(), whole=False)
        assert str(error.value).startswith(f'{path}:{line + 1}: expected a line of a journal, found \'{{"crc32": ')
        assert str(error.value).endswith("start over with --restart")
        with Journal(path, make_points(), whole=False, restart=True) as journal:
            assert journal.taken == {}

    def test_another_schema_version(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(journal_module, "_SCHEMA_VERSION", 2)
        write_journal(path, make_points(), 4)
        before = path.read_bytes()
        monkeypatch.undo()
        with pytest.raises(InputError) as error:
            Journal(path, make_points(), whole=False)
        assert str(error.value) == (
            f"{path}:1: expected a journal of schema version 1 with the columns of this revision, found version 2 by "
            f"revision {identity()}: finish the run with that, or start over with --restart"
        )
        assert path.read_bytes() == before

    def test_two_runs_at_once(self, path: Path) -> None:
        with Journal(path, make_points(), whole=False) as journal:
            journal.record(make_points()[0], measured(0))
            with pytest.raises(InputError) as error:
                Journal(path, make_points(), whole=False, restart=True)
            assert str(error.value) == (
                f"{path}: another run is writing to it; wait for that, or write to another results file"
            )
        with Journal(path, make_points(), whole=False) as journal:
            assert len(journal.taken) == 1

    def test_a_full_disk(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        points = make_points()
        write = os.write

        def write_half(file: int, data: bytes) -> int:
            if data[:8] == b'{"crc32"':
                return write(file, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        write_journal(path, points, 3)
        with Journal(path, points, whole=False) as journal:
            monkeypatch.setattr(os, "write", write_half)
            with pytest.raises(
                InputError, match=r"results[.]csv[.]journal: cannot be written: No space left on device"
            ):
                journal.record(points[3], measured(3))
            monkeypatch.undo()
        with Journal(path, points, whole=False) as journal:
            assert sorted(journal.taken) == [0, 1, 2]
            assert len(journal.notes) == 1

    def test_beside_what_a_link_leads_to(self, tmp_path: Path) -> None:
        (tmp_path / "link.csv").symlink_to("results.csv")
        assert journal_path(tmp_path / "link.csv") == (tmp_path / "results.csv.journal").resolve()
        assert journal_path(Path("results.csv")) == Path("results.csv.journal")


class TestRun:
    @pytest.fixture(autouse=True)
    def log(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv(fake_core.LOG, str(tmp_path / "log"))
        return tmp_path / "log"

    def test_killed_and_gone_on_with(
        self, run_here: CommandLine, run_faked: CommandLine, tmp_path: Path, log: Path
    ) -> None:
        """After `kill -9` of all processes, the final output is equal, and finished points do not run again."""
        arguments = ["-o", tmp_path / "results.csv", "--detail", tmp_path / "details"]
        journal = tmp_path / "results.csv.journal"
        with subprocess.Popen(
            [sys.executable, "-m", "nocbench", *SLOW_SWEEP, "-j2", *map(str, arguments)],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            env=environment(*FAKE_INSTALLATION),
        ) as process:
            while not journal.exists() or journal.read_bytes().count(b"\n") < 10:
                assert process.poll() is None
                time.sleep(0.005)
            os.killpg(process.pid, signal.SIGKILL)
        assert not (tmp_path / "results.csv").exists()
        num_kept = journal.read_bytes().count(b"\n") - 1
        num_begun = len(log.read_text().splitlines())
        assert 9 <= num_kept <= num_begun < 108

        completed = run_faked(*SLOW_SWEEP, "-j2", *arguments)
        assert completed.status == 0
        assert f"{num_kept} of 108 points taken over from {journal}\n" in completed.err
        assert f"running {108 - num_kept} of 108 points of 3 tests" in completed.err
        assert not journal.exists()
        ran = Counter(log.read_text().splitlines())
        assert len(ran) == 108
        assert sum(ran.values()) == num_begun + 108 - num_kept  # finished points did not run again

        expected = [tmp_path / "expected.csv", tmp_path / "expected"]
        assert run_here(*SLOW_SWEEP, "-j0", "-o", expected[0], "--detail", expected[1]).status == 0
        assert (tmp_path / "results.csv").read_bytes() == expected[0].read_bytes()
        details = sorted(path for path in (tmp_path / "details").rglob("*"))
        assert [path.relative_to(tmp_path / "details") for path in details] == sorted(
            path.relative_to(expected[1]) for path in expected[1].rglob("*")
        )
        for path in details:
            assert (
                path.is_dir()
                or path.read_bytes() == (expected[1] / path.relative_to(tmp_path / "details")).read_bytes()
            )

    def test_workers_end_with_a_killed_run(self, tmp_path: Path, log: Path) -> None:
        (tmp_path / "slow").mkdir()
        (tmp_path / "slow" / "sitecustomize.py").write_text(
            "import sys, time, fake_core\n"
            "sys.modules['nocbench._core'] = fake_core\n"
            "fake_core._commit = lambda fault: time.sleep(600)\n"
        )
        with subprocess.Popen(
            [sys.executable, "-m", "nocbench", *SWEEP, "-j2"],
            stderr=subprocess.DEVNULL,
            env=environment(tmp_path / "slow", Path(__file__).parents[1]),
        ) as process:
            while not log.exists() or log.read_text().count("\n") < 2:
                time.sleep(0.01)
            workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            process.kill()
        assert len(workers) == 2
        while any("engines.worker" in _command_of(worker) for worker in workers):
            time.sleep(0.01)

    def test_only_crashed_points_run_again(
        self, run_here: CommandLine, tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sweep = [*SWEEP, "-j0", "-a", "fault=wrong_data,raise", "-o", tmp_path / "results.csv"]
        sweep += ["--detail", tmp_path / "details"]
        completed = run_here(*sweep)
        assert completed.status == 1  # wrong data was found in the first run
        assert (
            completed.err.endswith(
                f"{tmp_path / 'results.csv.journal'} keeps what has finished; the same command goes on from there\n"
            )
            or "keeps what has finished" in completed.err
        )
        assert (tmp_path / "results.csv").read_text().count("False") == 48
        log.unlink()
        commit = fake_core._commit
        monkeypatch.setattr(fake_core, "_commit", lambda fault: commit("none" if fault == "raise" else fault))
        completed = run_here(*sweep)
        assert completed.status == 1
        assert len(log.read_text().splitlines()) == 36
        assert fake_core.WRONG_BYTE in completed.err  # from points of the first run
        assert not (tmp_path / "results.csv.journal").exists()
        resumed = (tmp_path / "results.csv").read_bytes()
        assert run_here(*sweep).status == 1
        assert (tmp_path / "results.csv").read_bytes() == resumed
        assert len(list((tmp_path / "details").rglob("*.json"))) == 72

    def test_points_without_details_run_again(self, run_here: CommandLine, tmp_path: Path, log: Path) -> None:
        sweep = [*SWEEP, "-j0", "-a", "fault=none,raise", "-o", tmp_path / "results.csv"]
        assert run_here(*sweep).status == 3
        log.unlink()
        completed = run_here(*sweep, "--detail", tmp_path / "details")
        assert "36 points in " in completed.err
        assert "without details: run again\n" in completed.err
        assert len(log.read_text().splitlines()) == 72

    def test_a_file_as_large_as_it_may_be(self, tmp_path: Path) -> None:
        """A file-size limit simulates a full disk: exit status 2, and with more space the run continues."""
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "sitecustomize.py").write_text(
            "import os, sys, resource, fake_core\n"
            "sys.modules['nocbench._core'] = fake_core\n"
            f"resource.setrlimit(resource.RLIMIT_FSIZE, (int(os.environ['LIMIT']), {resource.RLIM_INFINITY}))\n"
        )
        command = [sys.executable, "-m", "nocbench", *SWEEP, "-j1", "-o", str(tmp_path / "results.csv")]
        path = environment(tmp_path / "site", Path(__file__).parents[1])

        def run(limit_bytes: int) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                command, capture_output=True, text=True, check=False, env=path | {"LIMIT": str(limit_bytes)}
            )

        completed = run(6000)
        journal = tmp_path / "results.csv.journal"
        assert completed.returncode == 2
        assert f"error: {journal}: cannot be written: File too large. What finished before" in completed.stderr
        num_kept = journal.read_bytes().count(b"\n") - 1
        assert 0 < num_kept < 36
        assert journal.read_bytes().endswith(b"\n")
        completed = run(1_000_000)
        assert completed.returncode == 0
        assert f"{num_kept} of 36 points taken over" in completed.stderr
        assert "dropped" not in completed.stderr

    def test_no_room_for_the_results(
        self, run_here: CommandLine, tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_room(path: Path, data: bytes) -> int:
            del path
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) if data else InterruptedError

        sweep = [*SWEEP, "-j0", "-o", tmp_path / "results.csv"]
        with monkeypatch.context() as patch:
            write_bytes = Path.write_bytes
            patch.setattr(
                Path, "write_bytes", lambda path, data: no_room(path, data) if data else write_bytes(path, data)
            )
            completed = run_here(*sweep)
        assert completed.status == 2
        assert completed.err.endswith(
            f"error: {tmp_path / 'results.csv'}: cannot be written: No space left on device\n"
        )
        assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "results.csv.journal"]
        log.unlink()
        assert run_here(*sweep).status == 0
        assert not log.exists()
        assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]

    def test_a_second_run_is_refused(self, run_here: CommandLine, tmp_path: Path) -> None:
        with (tmp_path / "results.csv.journal").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            completed = run_here(*SWEEP, "-j0", "-o", tmp_path / "results.csv")
        assert completed.status == 2
        assert "another run is writing to it" in completed.err

    def test_standard_output_has_no_journal(
        self, run_here: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert run_here(*SWEEP, "-j0", "-o", "-").status == 0
        assert run_here(*SWEEP, "-j0").status == 0
        assert run_here(*SWEEP, "-j0", "-o", "/dev/null").status == 0
        assert [path.name for path in tmp_path.iterdir()] == ["log"]

    def test_shards_have_journals_of_their_own(self, run_here: CommandLine, tmp_path: Path, log: Path) -> None:
        sweep = [*SWEEP, "-j0", "-a", "fault=none,raise", "--shard", "1/2", "-o", tmp_path / "part1.csv"]
        assert run_here(*sweep).status == 3
        num_crashed = len(json.loads((tmp_path / "part1.csv.shard.json").read_text())["crashes"])
        log.unlink()
        assert run_here(*sweep).status == 3
        assert len(log.read_text().splitlines()) == num_crashed < 36


def _command_of(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:  # the process has ended
        return ""
