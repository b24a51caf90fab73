"""Functions that run on the workers of a Dask cluster.

Points run in a separate process beside the Dask worker. A crash therefore ends neither the worker nor other points, and
the crashing point is known. Dask workers may have several threads, although the simulator supports only one per
process.
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
"""Environment variables of Dask that worker processes do not inherit.

MALLOC_TRIM_THRESHOLD_ makes workers return memory early. Each point would cause page faults for its device's memory
again, and short points would take more than twice as long.
"""


class BatchResult(NamedTuple):
    """Reply of a worker to a batch.

    Attributes:
        revision: revision of nocbench on the worker: :func:`nocbench.support.revision.identity`.
        worker: address of the worker.
        outcomes: outcomes of the tasks that the worker started.
        seconds: processor time of these tasks.
    """

    revision: str
    worker: str
    outcomes: list[Outcome]
    seconds: float


class _Processes(threading.local):
    """Worker process of each thread, kept between batches."""

    def __init__(self) -> None:
        self.by_function: dict[Function, WorkerProcess] = {}


_processes = _Processes()


def revision_of_worker() -> str:
    """Returns the worker's revision, for comparison before the first batch."""
    return identity()


def carry_out(function: Function, batch: Batch) -> BatchResult:
    """Runs a batch on a Dask worker.

    Raises:
        WorkerStartError: the worker's process dies before it accepts a task.
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
            if death.guilty is not None:  # all other tasks are handed out again
                return BatchResult(identity(), address, [death.guilty], 0.0)
            continue
        return BatchResult(identity(), address, answer[1], process.last_batch_seconds)
    raise WorkerStartError(f"worker processes do not start on {address}: {death.reason}")
