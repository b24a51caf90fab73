"""Progress and notes of commands on standard error, while they work."""

from __future__ import annotations

import contextlib
import math
import signal
import sys
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from rich.progress import Progress, Task, TaskID, TextColumn

_SHOW_BAR_AFTER_SECONDS = 1.0
_LINE_EVERY_SECONDS = 30.0
_RATE_OVER_SECONDS = 30.0
_LOOK_EVERY_SECONDS = 1.0
_WORTH_A_WORD_SECONDS = 10.0
_is_quiet = False


class ProgressReport:
    """Progress of a command: a line at the beginning and at the end, and rate and remaining time between them.

    On a terminal, a bar appears after the first second; otherwise, a line every half minute.

    >>> with ProgressReport("running 460 points", "points", 460) as progress:
    ...     progress.update(1)
    """

    def __init__(self, announcement: str, noun: str, total: int) -> None:
        """Prints the announcement. `noun` names the counted items. Prints nothing for a total of 0."""
        self._noun = noun
        self._total = total
        self._done = 0
        self._work_ratio: Callable[[], float] | None = None
        self._left = ""
        self._left_seconds = -math.inf
        self._begin_seconds = time.monotonic()
        self._bar: tuple[Progress, TaskID] | None = None
        self._wants_bar = sys.stderr.isatty() and not _is_quiet
        self._line_seconds = self._begin_seconds
        self._recent = deque([(self._begin_seconds, 0)])  # times and counts
        if total:
            remark(announcement)

    def update(self, num_done: int, work_ratio: Callable[[], float] | None = None) -> None:
        """Updates the number of finished items.

        Args:
            num_done: number of finished items.
            work_ratio: function that returns the ratio of remaining to finished work, for items of different duration.
        """
        self._done = num_done
        self._work_ratio = work_ratio
        now_seconds = time.monotonic()
        if now_seconds - self._recent[-1][0] >= _LOOK_EVERY_SECONDS:
            self._recent.append((now_seconds, num_done))
            while now_seconds - self._recent[1][0] >= _RATE_OVER_SECONDS:
                self._recent.popleft()
        if self._bar is None and self._wants_bar and self._seconds() > _SHOW_BAR_AFTER_SECONDS:
            self._bar = self._show_bar()
        if self._bar is not None:
            bar, task = self._bar
            if now_seconds - self._left_seconds >= _LOOK_EVERY_SECONDS:
                self._left_seconds = now_seconds
                self._left = self._time_left()
            bar.update(task, completed=num_done, left=self._left)
        elif not self._wants_bar and now_seconds - self._line_seconds >= _LINE_EVERY_SECONDS and num_done < self._total:
            self._line_seconds = now_seconds
            rate = f"{self._rate():.3g} per second" if self._rate() else ""
            remark(", ".join(filter(None, [f"{num_done} of {self._total} {self._noun}", rate, self._time_left()])))

    def _rate(self) -> float:
        since_seconds, done_before = self._recent[0]
        passed_seconds = time.monotonic() - since_seconds
        return (self._done - done_before) / passed_seconds if passed_seconds else 0.0

    def _time_left(self) -> str:
        if self._work_ratio is not None:
            seconds = self._seconds() * self._work_ratio()
        else:
            rate = self._rate()
            seconds = (self._total - self._done) / rate if rate else math.inf
        return f"about {format_duration(seconds)} left" if math.isfinite(seconds) else ""

    def __enter__(self) -> Self:
        """Returns the report itself."""
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Removes the bar, and prints a summary unless there was an error."""
        if self._bar is not None:
            self._bar[0].stop()
        if error is None and self._total:
            remark(f"{self._done} of {self._total} {self._noun} in {self._seconds():.1f} s")

    def _seconds(self) -> float:
        return time.monotonic() - self._begin_seconds

    def _show_bar(self) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(self._noun),
            _rate_column(),
            TextColumn("{task.fields[left]}"),
            console=Console(stderr=True),
            transient=True,
        )
        task = bar.add_task(self._noun, total=self._total, left="")
        bar.start()
        return bar, task


@contextlib.contextmanager
def long_wait(what: str, estimated_seconds: float | None) -> Iterator[None]:
    """Prints the expected duration of a long call into the simulator, and a line every half minute during the call.

    Other threads run during the call, but signal handlers do not, so Ctrl-C ends the process.

    Args:
        what: name of the simulated work.
        estimated_seconds: expected duration; None if unknown.
    """
    about = "" if estimated_seconds is None else f", about {format_duration(estimated_seconds)} in all"
    if estimated_seconds is not None and estimated_seconds >= _WORTH_A_WORD_SECONDS:
        remark(f"simulating {what}: about {format_duration(estimated_seconds)}")
    begin_seconds = time.monotonic()
    has_ended = threading.Event()

    def say_that_it_runs() -> None:
        while not has_ended.wait(_LINE_EVERY_SECONDS):
            remark(f"simulating {what} for {format_duration(time.monotonic() - begin_seconds)}{about}")

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_DFL) if is_main else None
    threading.Thread(target=say_that_it_runs, daemon=True).start()
    try:
        yield
    finally:
        has_ended.set()
        if is_main:
            signal.signal(signal.SIGINT, before)


def _rate_column() -> TextColumn:
    from rich.progress import TextColumn
    from rich.text import Text

    class RateColumn(TextColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.3g}/s" if task.speed else "")

    return RateColumn("")


def format_duration(seconds: float) -> str:
    """Returns a duration as text: "45 s", "12 min", "3 h 20 min"."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def remark(line: str) -> None:
    """Prints a line on standard error, unless the user asked for quiet."""
    if not _is_quiet:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Leaves out notes and progress within the block."""
    global _is_quiet
    before, _is_quiet = _is_quiet, True
    try:
        yield
    finally:
        _is_quiet = before
