"""What runs on the workers of a Dask cluster.

Points run in a process of their own beside the Dask worker. So one that dies takes neither the Dask worker nor other
points with it, and it is known which one it was; and a Dask worker may have several threads, though the simulator has
only one.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from nocbench.running.engines.worker_process import WorkerDiedError, WorkerProcess
from nocbench.support.errors import WorkerStartError
from nocbench.support.revision import identity

if TYPE_CHECKING:
    from nocbench.running.engines.batch import Batch
    from nocbench.running.engines.engine import Function, Outcome

_MAX_DEATHS_WITHOUT_TASK = 3
_VARIABLES_OF_DASK = ("MALLOC_TRIM_THRESHOLD_",)
"""Dask sets this one, so that its workers give memory back soon. The memory of each point's device would come from the
kernel anew, page by page, and running short points would take more than twice as long."""


class BatchResult(NamedTuple):
    """What became of a batch.

    Attributes:
        revision: of nocbench on the worker: :func:`nocbench.support.revision.identity`.
        worker: its address.
        outcomes: of the tasks that were begun.
        seconds: processor time that they took.
    """

    revision: str
    worker: str
    outcomes: list[Outcome]
    seconds: float


class _Processes(threading.local):
    """The worker process of each thread, which stays from one batch to the next."""

    def __init__(self) -> None:
        self.by_function: dict[Function, WorkerProcess] = {}


_processes = _Processes()


def revision_of_worker() -> str:
    """What a worker is asked before it gets any work."""
    return identity()


def carry_out(function: Function, batch: Batch) -> BatchResult:
    """Carries out a batch on a Dask worker.

    Raises:
        WorkerStartError: the process for it dies before it accepts a task.
    """
    from distributed import get_worker

    address = get_worker().address
    for _ in range(_MAX_DEATHS_WITHOUT_TASK):
        process = _processes.by_function.get(function) or WorkerProcess(function, without_variables=_VARIABLES_OF_DASK)
        _processes.by_function[function] = process
        process.hand_out(batch)
        try:
            while (answer := process.receive()) is None:
                pass
        except WorkerDiedError:
            del _processes.by_function[function]
            death = process.post_mortem()
            if death.guilty is not None:  # all others of the batch are handed out once more
                return BatchResult(identity(), address, [death.guilty], 0.0)
            continue
        return BatchResult(identity(), address, answer[1], process.last_batch_seconds)
    raise WorkerStartError(f"worker processes do not start on {address}: {death.reason}")
