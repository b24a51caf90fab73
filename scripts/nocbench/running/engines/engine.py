"""The interface of all engines."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

LOCAL = "local"
"""Address that stands for a cluster started for the run."""


@dataclass(frozen=True, slots=True)
class Finished:
    """Outcome of a task that returned `value`."""

    index: int
    value: Any


@dataclass(frozen=True, slots=True)
class Rejected:
    """Outcome of a task that raised InputError: its input makes no sense."""

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
    """Calls a function on every task.

    Contract:
        - Every task has exactly one outcome, with its index in `tasks`, unless one is rejected.
        - Tasks are started in the order given. Outcomes come in any order.
        - After the first rejected task no other is started; those under way finish. So of all tasks that would be
          rejected, the first is always among the outcomes.
        - Closing the generator early ends all work.
        - `function` is at the top of a module; tasks and values can be pickled.
    """

    @property
    def description(self) -> str:
        """Description of the workers: "2 worker processes"."""

    def run(self, function: Function, tasks: Sequence[Any]) -> Generator[Outcome, None, None]:
        """Yields the outcomes as they come in."""


def attempt(function: Function, index: int, task: object) -> Outcome:
    """Calls `function` here and returns its value or error as an outcome."""
    from nocbench.support.errors import InputError

    try:
        return Finished(index, function(task))
    except InputError as error:
        return Rejected(index, str(error))
    except Exception as error:  # errors in one task must not end the others
        return Crashed(index, f"{type(error).__name__}: {error}")
