"""Engine with supervised worker processes. A dead worker affects one task only, and is replaced."""

from __future__ import annotations

from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, cast

from nocbench.running.engines.batch import WaitingTasks, without_outcome
from nocbench.running.engines.engine import Function, Outcome, Rejected
from nocbench.running.engines.worker_process import WorkerDiedError, WorkerProcess
from nocbench.support.errors import WorkerStartError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from multiprocessing.connection import Connection

_BATCH_SECONDS = 0.02  # a hundred times the transfer of a batch, and soon answered
_BUDGET_SECONDS = 0.1
_LONGEST_BATCH_WITH_ANOTHER_AHEAD_SECONDS = 0.05
_MAX_START_FAILURES = 3
_MAX_BLAMELESS_DEATHS = 10


class WorkerProcesses:
    """See :class:`nocbench.running.engines.engine.Engine`."""

    def __init__(self, num_workers: int) -> None:
        """Stores the number of workers. :meth:`run` starts them."""
        if num_workers < 1:
            raise ValueError(f"{num_workers} workers cannot do anything")
        self._num_workers = num_workers

    @property
    def description(self) -> str:
        """Number of workers, in words."""
        return f"{self._num_workers} worker process{'es' if self._num_workers > 1 else ''}"

    def run(self, function: Function, tasks: Sequence[Any]) -> Generator[Outcome, None, None]:
        """Yields the outcomes in the order of arrival.

        Raises:
            WorkerStartError: workers die before they accept a task.
        """
        waiting = WaitingTasks(tasks, batch_seconds=_BATCH_SECONDS, budget_seconds=_BUDGET_SECONDS)
        workers: dict[Connection[Any, Any], WorkerProcess] = {}
        num_start_failures = 0
        num_blameless_deaths = 0

        def start_workers() -> None:
            num_unready = sum(not worker.is_ready for worker in workers.values())
            while len(workers) < self._num_workers and num_unready < len(waiting):
                worker = WorkerProcess(function)
                workers[worker.connection] = worker
                num_unready += 1

        def feed(worker: WorkerProcess) -> None:
            while waiting and _wants_more(worker):
                worker.hand_out(waiting.next_batch(2 * self._num_workers))
            if not worker.under_way:
                del workers[worker.connection]
                worker.dismiss()

        try:
            start_workers()
            while any(worker.is_ready or waiting for worker in workers.values()):
                for connection in wait(list(workers)):
                    worker = workers[cast("Connection[Any, Any]", connection)]
                    try:
                        answer = worker.receive()
                    except WorkerDiedError:
                        del workers[worker.connection]
                        death = worker.post_mortem()
                        num_start_failures = 0 if worker.is_ready else num_start_failures + 1
                        num_blameless_deaths = 0 if death.guilty else num_blameless_deaths + 1
                        if num_start_failures == _MAX_START_FAILURES or num_blameless_deaths == _MAX_BLAMELESS_DEATHS:
                            raise WorkerStartError(f"worker processes do not start: {death.reason}") from None
                        waiting.put_back(death.lost)
                        start_workers()
                        if death.guilty is not None:
                            yield death.guilty
                        continue
                    if answer is None:
                        feed(worker)
                        continue
                    batch, outcomes = answer
                    waiting.learn(len(outcomes), worker.last_batch_seconds)
                    waiting.put_back(without_outcome(batch.tasks, outcomes))
                    for outcome in outcomes:
                        if isinstance(outcome, Rejected):
                            waiting.drop_after(outcome.index)
                    feed(worker)  # first, so that the worker does not wait for the caller
                    start_workers()  # returned tasks may need more workers
                    yield from outcomes
        finally:
            for worker in workers.values():
                worker.kill()


def _wants_more(worker: WorkerProcess) -> bool:
    """Returns True if a worker should get another batch now.

    A worker with short batches gets the next batch in advance, so that it does not wait for the supervisor. Long
    batches are not handed out in advance: they would wait in a queue while other workers are idle.
    """
    return not worker.under_way or (
        len(worker.under_way) == 1 and 0 < worker.last_batch_seconds < _LONGEST_BATCH_WITH_ANOTHER_AHEAD_SECONDS
    )
