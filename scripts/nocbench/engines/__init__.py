"""Ways to carry out many independent tasks: the same outcomes, at different speeds and costs of a crash."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from nocbench.errors import InputError

if TYPE_CHECKING:
    from nocbench.engines.engine import Engine


def make_engine(jobs: int | None, num_tasks: int) -> Engine:
    """Gives the engine for a number of jobs.

    Args:
        jobs: number of worker processes; the number of processors that this process may use if None; 0 for none, that
            is, to work in this process.
        num_tasks: more workers than that are of no use.

    Raises:
        InputError: a negative number.
    """
    if jobs is None:
        jobs = len(os.sched_getaffinity(0))
    if jobs < 0:
        raise InputError(f"{jobs} jobs: the number of worker processes cannot be negative")
    if jobs == 0:
        from nocbench.engines.in_process import InProcess

        return InProcess()
    from nocbench.engines.worker_processes import WorkerProcesses

    return WorkerProcesses(max(1, min(jobs, num_tasks)))
