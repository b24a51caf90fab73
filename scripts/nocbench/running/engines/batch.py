"""Batches of tasks, which reduce the cost of sending short tasks to workers."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nocbench.running.engines.engine import Outcome

_LARGEST_GROWTH = 4  # the next tasks may be longer
_MAX_TASKS = 1024


class Batch(NamedTuple):
    """Tasks for a worker.

    Attributes:
        tasks: tasks with their indices.
        budget_seconds: time after which the worker starts no task and returns the remaining ones, so that idle workers
            can run them even if the estimated time was wrong.
    """

    tasks: Sequence[tuple[int, Any]]
    budget_seconds: float


class Reply(NamedTuple):
    """A worker's reply to a batch.

    Attributes:
        outcomes: pickled outcomes of the tasks that the worker started.
        seconds: processor time of these tasks, which a busy machine does not increase.
    """

    outcomes: list[bytes]
    seconds: float


class WaitingTasks:
    """Queue of tasks, which are handed out in order, in batches of about equal time."""

    def __init__(self, tasks: Iterable[Any], *, batch_seconds: float, budget_seconds: float) -> None:
        """Stores the tasks, the intended time of a batch, and the time after which a worker starts no further task."""
        self._tasks = deque(enumerate(tasks))
        self._batch_seconds = batch_seconds
        self._budget_seconds = budget_seconds
        self._size = 1
        self._end = math.inf

    def __len__(self) -> int:
        """Returns the number of tasks in the queue."""
        return len(self._tasks)

    def next_batch(self, num_takers: int) -> Batch:
        """Removes and returns a batch; towards the end a small one, so that all of `num_takers` workers get tasks."""
        size = min(self._size, math.ceil(len(self._tasks) / num_takers))
        return Batch([self._tasks.popleft() for _ in range(size)], self._budget_seconds)

    def learn(self, num_finished: int, seconds: float) -> None:
        """Adapts the size of batches to the time that finished tasks took."""
        fitting = self._batch_seconds * num_finished / seconds if seconds > 0 else _MAX_TASKS
        self._size = int(max(1, min(fitting, _LARGEST_GROWTH * self._size, _MAX_TASKS)))

    def put_back(self, tasks: Iterable[tuple[int, Any]]) -> None:
        """Puts tasks without an outcome back to the front of the queue."""
        for task in sorted(tasks, key=lambda task: task[0], reverse=True):
            if task[0] < self._end:
                self._tasks.appendleft(task)

    def drop_after(self, index: int) -> None:
        """Removes all tasks after a rejected one. Tasks before it may still be rejected."""
        self._end = min(self._end, index)
        self._tasks = deque(task for task in self._tasks if task[0] < self._end)


def without_outcome(tasks: Iterable[tuple[int, Any]], outcomes: Iterable[Outcome]) -> list[tuple[int, Any]]:
    """Returns the tasks of a batch that have no outcome."""
    done = {outcome.index for outcome in outcomes}
    return [task for task in tasks if task[0] not in done]
