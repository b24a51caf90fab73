"""Engine on a Dask cluster with real workers, and its reaction to lost processes."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import fake_core
import pytest
import worker_tasks
from conftest import FAKE_INSTALLATION, environment

from nocbench.running.engines import dask_cluster, make_engine, note_on_trust
from nocbench.running.engines.dask_cluster import DaskCluster
from nocbench.running.engines.engine import LOCAL, Crashed, Finished
from nocbench.support.errors import InputError
from nocbench.support.revision import identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import CommandLine

SWEEP = ["run", "4", "5", "dram_unary", "--arch", "blackhole"]  # 36 points

WORKERS_SITE = """
import os, sys, fake_core
sys.modules["nocbench._core"] = fake_core
import nocbench.support.revision
if "OTHER_REVISION" in os.environ:
    nocbench.support.revision.identity = lambda: os.environ["OTHER_REVISION"]
"""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts Dask's programs and ends them after the test."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WORKERS_SITE)
    processes = []

    def start_process(program: str, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *arguments, "--no-dashboard"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            start_new_session=True,
            env=environment(tmp_path / "site", Path(__file__).parents[1]) | variables,
        )
        processes.append(process)
        return process

    yield start_process
    for process in processes:
        assert process.stderr is not None
        process.stderr.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def start_scheduler(start: Start, *options: str) -> tuple[str, subprocess.Popen[str]]:
    scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", *options)
    assert scheduler.stderr is not None
    for line in scheduler.stderr:
        match = re.search(r"Scheduler at:\s+(t(?:cp|ls)://\S+)", line)
        if match is not None:
            return match[1], scheduler
    raise AssertionError("the scheduler did not start")


def start_worker(start: Start, address: str, *options: str, **variables: str) -> subprocess.Popen[str]:
    worker = start("dask_worker", address, "--nthreads", "1", "--no-nanny", *options, **variables)
    assert worker.stderr is not None
    assert any("Registered to:" in line for line in worker.stderr)
    return worker


def wait_for_points(run: subprocess.Popen[str], tmp_path: Path, count: int) -> None:
    while num_recorded(tmp_path) < count:
        assert run.poll() is None, run.stderr and run.stderr.read()
        time.sleep(0.01)


def run_in_background(tmp_path: Path, address: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "nocbench",
            *SWEEP,
            "--cluster",
            address,
            "-o",
            str(tmp_path / "results.csv"),
            *arguments,
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(*FAKE_INSTALLATION) | {fake_core.LOG: str(tmp_path / "log")},
    )


def num_recorded(tmp_path: Path) -> int:
    journal = tmp_path / "results.csv.journal"
    return journal.read_bytes().count(b"\n") - 1 if journal.exists() else 0


def test_two_workers_give_the_same_bytes_and_a_dead_worker_costs_nothing(
    run_here: CommandLine, start: Start, tmp_path: Path
) -> None:
    address, _ = start_scheduler(start)
    workers = [start_worker(start, address) for _ in range(2)]
    sizes = ["-a", "call_size=64,128"]
    with run_in_background(tmp_path, address, "-a", "fault=none,slow,kill", *sizes) as run:
        wait_for_points(run, tmp_path, 3)
        workers[0].kill()
        assert run.stderr is not None
        messages = run.stderr.read()
    assert run.returncode == 3, messages
    assert f"running 54 points of 3 tests on blackhole in the Dask cluster at {address}\n" in messages
    crashes = [line for line in messages.splitlines() if line.startswith("crashed: ")]
    assert len(crashes) == 18
    assert all("fault=kill" in crash for crash in crashes)
    assert all(crash.endswith("worker process killed by SIGKILL") for crash in crashes)
    expected = tmp_path / "expected.csv"
    assert run_here(*SWEEP, "-j0", "-a", "fault=none,slow,raise", *sizes, "-o", expected).status == 3
    assert (tmp_path / "results.csv").read_bytes() == expected.read_bytes()


def test_a_lost_scheduler(run_faked: CommandLine, start: Start, tmp_path: Path) -> None:
    address, scheduler = start_scheduler(start)
    start_worker(start, address)
    with run_in_background(tmp_path, address, "-a", "fault=slow", "-a", "num_transactions=1:30:+1") as run:
        wait_for_points(run, tmp_path, 6)
        os.killpg(scheduler.pid, signal.SIGKILL)
        assert run.stderr is not None
        messages = run.stderr.read()
    assert run.returncode == 3, messages
    assert f"error: Dask cluster {address}: " in messages
    assert "Once it is up again, the same command goes on with what has not finished" in messages
    assert f"{tmp_path / 'results.csv.journal'} keeps what has finished" in messages
    assert "Traceback" not in messages
    kept = num_recorded(tmp_path)
    assert 5 < kept < 360
    sweep = [*SWEEP, "-a", "fault=slow", "-a", "num_transactions=1:30:+1", "-o", tmp_path / "results.csv"]
    completed = run_faked(*sweep, "-j2")  # by any engine
    assert completed.status == 0
    assert f"{kept} of 360 points taken over" in completed.err


def test_workers_of_another_revision(run_faked: CommandLine, start: Start, tmp_path: Path) -> None:
    address, _ = start_scheduler(start)
    start_worker(start, address, OTHER_REVISION="0123456789ab")
    completed = run_faked(*SWEEP, "--cluster", address, "-o", tmp_path / "results.csv")
    assert completed.status == 4
    assert re.search(
        r"^error: Dask workers must have the revision of nocbench that this process has, \S+: "
        r"tcp://127.0.0.1:\d+ has 0123456789ab$",
        completed.err,
        re.MULTILINE,
    )
    assert not list(tmp_path.glob("results*"))


def test_a_local_cluster(run_faked: CommandLine, run_here: CommandLine, tmp_path: Path) -> None:
    completed = run_faked(*SWEEP, "--cluster", "local", "-j2", "-o", tmp_path / "results.csv")
    assert completed.status == 0
    assert "in a local Dask cluster of 2 workers\n" in completed.err
    assert run_here(*SWEEP, "-j0", "-o", tmp_path / "expected.csv").status == 0
    assert (tmp_path / "results.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()


@pytest.mark.filterwarnings("ignore")
def test_memory_of_points_is_not_given_back_after_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask's setting for its own workers would make short points more than twice as slow."""
    monkeypatch.setattr(dask_cluster, "identity", identity.__wrapped__)  # a cached identity may be the fake simulator's
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    outcomes = list(DaskCluster(LOCAL, 1).run(worker_tasks.misbehave, [("environment", 0)]))
    assert outcomes == [Finished(0, None)]


@pytest.mark.filterwarnings("ignore")
def test_a_task_that_kills_the_dask_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    import dask
    import distributed  # noqa: F401 - sets its defaults for good only outside of `dask.config.set`

    monkeypatch.setattr(dask_cluster, "identity", identity.__wrapped__)  # a cached identity may be the fake simulator's

    tasks = [("kill_parent" if number == 5 else "work", number) for number in range(40)]
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        outcomes = {outcome.index: outcome for outcome in DaskCluster(LOCAL, 2).run(worker_tasks.misbehave, tasks)}
    assert len(outcomes) == 40
    crashed = outcomes.pop(5)
    assert isinstance(crashed, Crashed)
    assert crashed.reason.startswith("killed the Dask workers that ran it, at last ")
    assert all(outcome == Finished(index, 10 * index) for index, outcome in outcomes.items())


CERTIFICATES = Path(__file__).parent / "certificates"


def tls_variables(certificate: str) -> dict[str, str]:
    """Returns a client's TLS configuration for Dask, as in docs/sweeps.md; the certificate's file contains its key."""
    return {
        "DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(CERTIFICATES / "authority.pem"),
        "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT": str(CERTIFICATES / certificate),
        "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY": str(CERTIFICATES / certificate),
    }


def test_a_cluster_over_tls(
    run_faked: CommandLine, run_here: CommandLine, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--tls-ca-file", str(CERTIFICATES / "authority.pem")]
    options += ["--tls-cert", str(CERTIFICATES / "node.pem"), "--tls-key", str(CERTIFICATES / "node.pem")]
    address, _ = start_scheduler(start, "--protocol", "tls", *options)
    assert address.startswith("tls://127.0.0.1:")
    start_worker(start, address, *options)
    run = [*SWEEP, "--cluster", address]

    without = run_faked(*run, "-o", tmp_path / "without.csv")
    assert without.status == 2
    assert without.err.splitlines()[-1] == (
        f"error: {address}: expected distributed.comm.tls.ca-file in Dask's configuration, found nothing; "
        "docs/sweeps.md says what TLS needs"
    )

    for name, value in tls_variables("stranger.pem").items():
        monkeypatch.setenv(name, value)
    refused = run_faked(*run, "-o", tmp_path / "refused.csv")
    assert refused.status == 2
    assert f"error: no Dask scheduler answers at {address} (" in refused.err
    assert "Traceback" not in refused.err

    for name, value in tls_variables("node.pem").items():
        monkeypatch.setenv(name, value)
    completed = run_faked(*run, "-o", tmp_path / "results.csv")
    assert completed.status == 0, completed.err
    assert "encrypted" not in completed.err
    assert run_here(*SWEEP, "-j0", "-o", tmp_path / "expected.csv").status == 0
    assert (tmp_path / "results.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()

    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION", "True")
    plain = run_faked(*SWEEP, "--cluster", "tcp://127.0.0.1:1", "-o", tmp_path / "plain.csv")
    assert plain.status == 2
    assert plain.err.splitlines()[-1] == (
        "error: tcp://127.0.0.1:1: expected tls://HOST:PORT, since distributed.comm.require-encryption is set in "
        "Dask's configuration"
    )
    assert sorted(path.name for path in tmp_path.glob("*.csv*")) == ["expected.csv", "results.csv"]


def test_a_certificate_that_is_not_there(run_here: CommandLine) -> None:
    import dask
    import distributed  # noqa: F401 - sets its defaults for good only outside of `dask.config.set`

    certificates = {"ca-file": str(CERTIFICATES / "authority.pem"), "client": {"cert": "/none.pem", "key": None}}
    with dask.config.set({"distributed.comm.tls": certificates}):
        completed = run_here(*SWEEP, "--cluster", "tls://127.0.0.1:1")
    assert completed.status == 2
    assert completed.err.splitlines()[-1] == (
        "error: /none.pem: distributed.comm.tls.client.cert of Dask's configuration cannot be read: "
        "No such file or directory"
    )


@pytest.mark.parametrize(
    ("cluster", "is_noted"),
    [
        ("tcp://10.0.0.5:8786", True),
        ("tcp://host:8786", True),
        ("tcp://[2001:db8::1]:8786", True),
        ("ucx://host:8786", True),
        ("tls://host:8786", False),
        ("tcp://127.0.0.1:8786", False),
        ("tcp://127.1.2.3:8786", False),
        ("tcp://[::1]:8786", False),
        ("tcp://localhost:8786", False),
        ("local", False),
        (None, False),
    ],
)
def test_connections_that_anybody_could_use_are_noted(cluster: str | None, is_noted: bool) -> None:
    note = note_on_trust(cluster)
    assert bool(note) == is_noted
    if is_noted:
        assert note.startswith(f"the connection to {cluster} is neither encrypted nor authenticated: ")


def test_the_command_notes_them(run_here: CommandLine) -> None:
    completed = run_here(*SWEEP, "--cluster", "tcp://192.0.2.1:1")  # reserved for documentation
    assert completed.status == 2
    note, *_ = completed.err.splitlines()
    assert note == note_on_trust("tcp://192.0.2.1:1")


def test_nobody_answers(run_here: CommandLine, tmp_path: Path) -> None:
    begin_seconds = time.monotonic()
    completed = run_here(*SWEEP, "--cluster", "tcp://127.0.0.1:1", "-o", tmp_path / "results.csv")
    assert completed.status == 2
    assert "error: no Dask scheduler answers at tcp://127.0.0.1:1 (" in completed.err
    assert "start one with 'dask scheduler'" in completed.err
    assert time.monotonic() - begin_seconds < 60  # on an idle machine, a few seconds
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["host:8786", "tcp://host", "tcp://:8786", "locl", ""])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError) as error:
        make_engine(None, 10, address)
    assert (
        str(error.value) == f"'{address}': a cluster is tls://HOST:PORT or tcp://HOST:PORT of its scheduler, or 'local'"
    )


def test_jobs_are_for_local_clusters() -> None:
    assert make_engine(None, 10, "tcp://host:8786").description == "the Dask cluster at tcp://host:8786"
    assert make_engine(3, 10, "local").description == "a local Dask cluster of 3 workers"
    assert make_engine(3, 2, "local").description == "a local Dask cluster of 2 workers"
    with pytest.raises(InputError, match="0 jobs: a local cluster has one worker at least"):
        make_engine(0, 10, "local")
    with pytest.raises(InputError, match="2 jobs: the cluster at tcp://host:8786 has its own number of workers"):
        make_engine(2, 10, "tcp://host:8786")
