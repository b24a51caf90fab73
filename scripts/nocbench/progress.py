"""What a command says of its progress, on standard error."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress, TaskID

_SHOW_BAR_AFTER_SECONDS = 1.0


class ProgressReport:
    """A line at the beginning; a bar once it has taken a second, if a terminal is attached; a line at the end.

    >>> with ProgressReport("running 460 points", "points", 460) as progress:
    ...     progress.update(1)
    """

    def __init__(self, announcement: str, noun: str, total: int) -> None:
        """Says what begins; `noun` is what is counted."""
        self._noun = noun
        self._total = total
        self._done = 0
        self._begin_seconds = time.monotonic()
        self._bar: tuple[Progress, TaskID] | None = None
        self._wants_bar = sys.stderr.isatty()
        _say(announcement)

    def update(self, num_done: int) -> None:
        """Notes how much is done."""
        self._done = num_done
        if self._bar is None and self._wants_bar and self._seconds() > _SHOW_BAR_AFTER_SECONDS:
            self._bar = self._show_bar()
        if self._bar is not None:
            bar, task = self._bar
            bar.update(task, completed=num_done)

    def __enter__(self) -> Self:
        """Begins."""
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Removes the bar; unless there was an error, says how much was done."""
        if self._bar is not None:
            self._bar[0].stop()
        if error is None:
            _say(f"{self._done} of {self._total} {self._noun} in {self._seconds():.1f} s")

    def _seconds(self) -> float:
        return time.monotonic() - self._begin_seconds

    def _show_bar(self) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(self._noun),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        task = bar.add_task(self._noun, total=self._total)
        bar.start()
        return bar, task


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
