"""The interface of all engines."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

LOCAL = "local"
"""Address of a cluster that is started for the run."""


@dataclass(frozen=True, slots=True)
class Finished:
    """Outcome of a task that returned `value`."""

    index: int
    value: Any


@dataclass(frozen=True, slots=True)
class Rejected:
    """Outcome of a task that raised InputError, because of invalid input."""

    index: int
    message: str


@dataclass(frozen=True, slots=True)
class Crashed:
    """Outcome of a task that died, or raised an unexpected error."""

    index: int
    reason: str


Outcome = Finished | Rejected | Crashed
Function = Callable[[Any], Any]


class Engine(Protocol):
    """Interface of engines, which call a function on every task.

    Contract:
        - Every task has exactly one outcome, with its index in `tasks`, unless a task is rejected.
        - Tasks are started in the order given. Outcomes come in any order.
        - After the first rejected task, no other task is started, and running tasks finish. The outcomes therefore
          always contain the first of all tasks that would be rejected.
        - Closing the generator early ends all work.
        - `function` is defined at module level; tasks and values can be pickled.
    """

    @property
    def description(self) -> str:
        """Workers in words: "2 worker processes"."""

    def run(self, function: Function, tasks: Sequence[Any]) -> Generator[Outcome, None, None]:
        """Yields the outcomes in the order of arrival."""


def attempt(function: Function, index: int, task: object) -> Outcome:
    """Calls `function` in this process, and returns its value or error as an outcome."""
    from nocbench.support.errors import InputError

    try:
        return Finished(index, function(task))
    except InputError as error:
        return Rejected(index, str(error))
    except Exception as error:  # an error in one task must not end others
        return Crashed(index, f"{type(error).__name__}: {error}")
