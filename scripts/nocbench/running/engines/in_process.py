"""Engine that runs all tasks in this process, one after the other, for debuggers. A native crash ends the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.running.engines.engine import Function, Outcome, Rejected, attempt

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence


class InProcess:
    """See :class:`nocbench.running.engines.engine.Engine`."""

    description = "this process"

    def run(self, function: Function, tasks: Sequence[Any]) -> Generator[Outcome, None, None]:
        """Yields the outcomes in the order of the tasks."""
        for index, task in enumerate(tasks):
            outcome = attempt(function, index, task)
            yield outcome
            if isinstance(outcome, Rejected):
                return
