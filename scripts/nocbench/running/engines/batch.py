"""Tasks that go to a worker together, so that short ones cost little on the way."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nocbench.running.engines.engine import Outcome

_LARGEST_GROWTH = 4  # tasks of unknown length may come next
_MAX_TASKS = 1024


class Batch(NamedTuple):
    """Tasks for one worker.

    Attributes:
        tasks: with their indices.
        budget_seconds: after that time no other task is begun: those left come back. So however wrong a guess of how
            long they take was, no worker sits on work that others could do.
    """

    tasks: Sequence[tuple[int, Any]]
    budget_seconds: float


class Reply(NamedTuple):
    """What a worker sends for a batch.

    Attributes:
        outcomes: pickled, of the tasks that it began.
        seconds: processor time that they took. On a busy machine, tasks take longer but are no more work.
    """

    outcomes: list[bytes]
    seconds: float


class WaitingTasks:
    """Tasks that no worker has, handed out in their order, in batches that take about the same time each."""

    def __init__(self, tasks: Iterable[Any], *, batch_seconds: float, budget_seconds: float) -> None:
        """Notes the tasks, how long a batch should take, and when what is left of it comes back."""
        self._tasks = deque(enumerate(tasks))
        self._batch_seconds = batch_seconds
        self._budget_seconds = budget_seconds
        self._size = 1
        self._end = math.inf

    def __len__(self) -> int:
        """How many wait."""
        return len(self._tasks)

    def next_batch(self, num_takers: int) -> Batch:
        """Takes a batch out; towards the end a small one, so that each of `num_takers` gets some."""
        size = min(self._size, math.ceil(len(self._tasks) / num_takers))
        return Batch([self._tasks.popleft() for _ in range(size)], self._budget_seconds)

    def learn(self, num_finished: int, seconds: float) -> None:
        """Notes how long some tasks took: that says how many the next batch has."""
        fitting = self._batch_seconds * num_finished / seconds if seconds > 0 else _MAX_TASKS
        self._size = int(max(1, min(fitting, _LARGEST_GROWTH * self._size, _MAX_TASKS)))

    def put_back(self, tasks: Iterable[tuple[int, Any]]) -> None:
        """Takes tasks that were not begun, or whose outcome was lost: they come first again."""
        for task in sorted(tasks, key=lambda task: task[0], reverse=True):
            if task[0] < self._end:
                self._tasks.appendleft(task)

    def drop_after(self, index: int) -> None:
        """Forgets all tasks behind a rejected one. Those before it still have to show whether they are rejected."""
        self._end = min(self._end, index)
        self._tasks = deque(task for task in self._tasks if task[0] < self._end)


def without_outcome(tasks: Iterable[tuple[int, Any]], outcomes: Iterable[Outcome]) -> list[tuple[int, Any]]:
    """The tasks of a batch that must be handed out once more."""
    done = {outcome.index for outcome in outcomes}
    return [task for task in tasks if task[0] not in done]
