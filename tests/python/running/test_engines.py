from __future__ import annotations

import faulthandler
import os
import random
import signal
import threading
import time
from typing import TYPE_CHECKING

import pytest
import worker_tasks

from nocbench.running import engines
from nocbench.running.engines import make_engine
from nocbench.running.engines.engine import Crashed, Engine, Finished, Outcome, Rejected
from nocbench.running.engines.forked import ForkedProcesses
from nocbench.running.engines.in_process import InProcess
from nocbench.running.engines.worker_processes import WorkerProcesses
from nocbench.support.errors import InputError, WorkerStartError

if TYPE_CHECKING:
    from collections.abc import Iterator

ENGINES = [InProcess(), ForkedProcesses(), WorkerProcesses(1), WorkerProcesses(3)]
IDS = ["in_process", "forked", "1_worker", "3_workers"]


def outcomes_of(engine: Engine, *kinds: str) -> list[Outcome]:
    tasks = [(kind, number) for number, kind in enumerate(kinds)]
    return sorted(engine.run(worker_tasks.misbehave, tasks), key=lambda outcome: outcome.index)


@pytest.mark.parametrize("engine", ENGINES, ids=IDS)
class TestEveryEngine:
    def test_every_task_has_an_outcome(self, engine: Engine) -> None:
        assert outcomes_of(engine, *["work"] * 200) == [Finished(number, 10 * number) for number in range(200)]

    def test_no_tasks(self, engine: Engine) -> None:
        assert outcomes_of(engine) == []

    def test_an_exception_costs_its_task_only(self, engine: Engine) -> None:
        assert outcomes_of(engine, "work", "raise", "work") == [
            Finished(0, 0),
            Crashed(1, "RuntimeError: task 1 is broken"),
            Finished(2, 20),
        ]

    def test_the_first_rejected_task_is_always_reported(self, engine: Engine) -> None:
        outcomes = outcomes_of(engine, *["sleep", "work", "refuse", "refuse"], *["work"] * 100)
        rejected = [outcome for outcome in outcomes if isinstance(outcome, Rejected)]
        assert rejected[0] == Rejected(2, "task 2 makes no sense")
        assert len(outcomes) < 20

    def test_can_run_again(self, engine: Engine) -> None:
        for _ in range(2):
            assert outcomes_of(engine, "work") == [Finished(0, 0)]

    def test_can_be_closed_early(self, engine: Engine) -> None:
        stream = engine.run(worker_tasks.misbehave, [("work", number) for number in range(100)])
        next(stream)
        stream.close()


@pytest.fixture(autouse=True)
def no_tracebacks_of_deaths() -> Iterator[None]:
    """Disables faulthandler: pytest would also print the tracebacks of forked processes."""
    faulthandler.disable()
    yield
    faulthandler.enable()


SUPERVISED = [WorkerProcesses(1), WorkerProcesses(2), WorkerProcesses(4), ForkedProcesses()]


@pytest.mark.parametrize("engine", SUPERVISED, ids=["1_worker", "2_workers", "4_workers", "forked"])
class TestSupervisedProcesses:
    @pytest.mark.parametrize(
        ("kind", "reason"),
        [
            ("kill", "process killed by SIGKILL"),
            ("segfault", "process killed by SIGSEGV"),
            ("abort", "process killed by SIGABRT; it said: last words of task 50"),
            ("exit", "process ended with exit status 7"),
        ],
    )
    def test_a_death_costs_its_task_only(self, engine: Engine, kind: str, reason: str) -> None:
        outcomes = outcomes_of(engine, *["work"] * 50, kind, *["work"] * 50)
        assert outcomes[50] == Crashed(50, reason if engine is SUPERVISED[-1] else f"worker {reason}")
        assert all(
            outcome == Finished(outcome.index, 10 * outcome.index) for outcome in outcomes if outcome.index != 50
        )
        assert len(outcomes) == 101

    def test_many_deaths(self, engine: Engine) -> None:
        kinds = random.Random(0).choices(["work", "kill", "raise", "abort", "process"], k=60)
        outcomes = outcomes_of(engine, *kinds)
        assert len(outcomes) == 60
        for kind, outcome in zip(kinds, outcomes, strict=True):
            assert isinstance(outcome, Crashed if kind in ("kill", "raise", "abort") else Finished)

    def test_only_deaths(self, engine: Engine) -> None:
        outcomes = outcomes_of(engine, *["kill"] * 6)
        assert [type(outcome) for outcome in outcomes] == [Crashed] * 6

    def test_a_value_that_cannot_be_sent(self, engine: Engine) -> None:
        first, second = outcomes_of(engine, "unpicklable", "work")
        assert isinstance(first, Crashed)
        assert "process ended with exit status 1; it said: Traceback" in first.reason
        assert second == Finished(1, 10)

    def test_large_values(self, engine: Engine) -> None:
        outcomes = outcomes_of(engine, *["large"] * 8)
        assert all(isinstance(outcome, Finished) and len(outcome.value) == 5_000_000 for outcome in outcomes)


def test_no_worker_outlives_the_run() -> None:
    engine = WorkerProcesses(2)
    processes = {outcome.value for outcome in outcomes_of(engine, *["process"] * 20) if isinstance(outcome, Finished)}
    stream = engine.run(worker_tasks.misbehave, [("process", 0), ("sleep", 1), ("sleep", 2)])
    first = next(stream)
    assert isinstance(first, Finished)
    stream.close()
    for process in {*processes, first.value}:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_a_worker_killed_from_outside_costs_one_task() -> None:
    stream = WorkerProcesses(2).run(
        worker_tasks.misbehave, [("process", 0), *(("sleep", number) for number in range(1, 9))]
    )
    first = next(stream)
    assert isinstance(first, Finished)
    time.sleep(0.1)
    os.kill(first.value, signal.SIGKILL)
    rest = list(stream)
    assert len(rest) == 8
    assert [outcome.reason for outcome in rest if isinstance(outcome, Crashed)] == ["worker process killed by SIGKILL"]


def test_workers_that_cannot_start() -> None:
    with pytest.raises(WorkerStartError) as error:
        list(WorkerProcesses(2).run(_local_task(), [1, 2, 3]))
    assert str(error.value).startswith(
        "worker processes do not start: worker process ended with exit status 1; it said: Traceback"
    )


def _local_task() -> type[int]:
    return type("not_at_the_top_of_a_module", (int,), {"__module__": "worker_tasks"})


def test_what_workers_print_is_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    tasks = [("print", 0)]
    assert list(WorkerProcesses(1).run(print, tasks)) == [Finished(0, None)]
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err == "('print', 0)\n"


def test_works_beside_threads() -> None:
    release = threading.Event()
    thread = threading.Thread(target=release.wait)
    thread.start()
    try:
        assert outcomes_of(WorkerProcesses(2), "work", "work") == [Finished(0, 0), Finished(1, 10)]
    finally:
        release.set()
        thread.join()


def test_a_single_point_needs_no_new_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "can_fork", lambda: True)
    for jobs in (None, 1, 8):
        assert isinstance(make_engine(jobs, 1), ForkedProcesses)
    assert isinstance(make_engine(0, 1), InProcess)
    assert isinstance(make_engine(1, 2), WorkerProcesses)
    monkeypatch.setattr(engines, "can_fork", lambda: False)
    assert isinstance(make_engine(1, 1), WorkerProcesses)


def test_a_process_with_threads_is_not_copied() -> None:
    is_over = threading.Event()
    thread = threading.Thread(target=is_over.wait)
    thread.start()
    assert not engines.can_fork()
    is_over.set()
    thread.join()


def test_make_engine() -> None:
    assert make_engine(0, 10).description == "this process"
    assert make_engine(1, 10).description == "1 worker process"
    assert make_engine(8, 3).description == "3 worker processes"
    assert "worker process" in make_engine(None, 1000).description
    with pytest.raises(InputError) as error:
        make_engine(-1, 10)
    assert str(error.value) == "-1 jobs: the number of worker processes cannot be negative"
