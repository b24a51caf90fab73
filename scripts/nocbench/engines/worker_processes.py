"""Tasks in supervised worker processes: one that dies costs its task only, and is replaced.

Workers are fresh interpreters rather than forks (a fork of a process with threads, such as a notebook's, may hang), and
not `multiprocessing`'s spawned ones (those import the user's script again, which then must guard its main part).
Starting one takes about 25 ms, handing it a task and getting the outcome about 0.04 ms.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from nocbench.engines.engine import Crashed, Function, Outcome, Rejected
from nocbench.engines.worker import READY
from nocbench.errors import WorkerStartError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

_LONGEST_TASK_WITH_ANOTHER_AHEAD_SECONDS = 0.05
_MAX_START_FAILURES = 3
_END_SECONDS = 5.0
_LAST_WORDS_MAX_CHARACTERS = 2000


class WorkerProcesses:
    """See :class:`nocbench.engines.engine.Engine`."""

    def __init__(self, num_workers: int) -> None:
        """Notes how many to start; they are started by :meth:`run`."""
        if num_workers < 1:
            raise ValueError(f"{num_workers} workers cannot do anything")
        self._num_workers = num_workers

    @property
    def description(self) -> str:
        """The number of workers, in words."""
        return f"{self._num_workers} worker process{'es' if self._num_workers > 1 else ''}"

    def run(self, function: Function, tasks: Sequence[Any]) -> Generator[Outcome, None, None]:
        """Yields the outcomes as the workers send them.

        Raises:
            WorkerStartError: workers die before they accept a task.
        """
        waiting = deque(enumerate(tasks))
        workers: dict[Connection[Any, Any], _Worker] = {}
        num_start_failures = 0

        def start_workers() -> None:
            num_unready = sum(not worker.ready for worker in workers.values())
            while len(workers) < self._num_workers and num_unready < len(waiting):
                worker = _Worker(function)
                workers[worker.connection] = worker
                num_unready += 1

        def feed(worker: _Worker) -> None:
            while waiting and worker.wants_more():
                worker.hand_out(*waiting.popleft())
            if not worker.under_way:
                del workers[worker.connection]
                worker.dismiss()

        try:
            start_workers()
            while any(worker.ready or waiting for worker in workers.values()):
                for connection in wait(list(workers)):
                    worker = workers[cast("Connection[Any, Any]", connection)]
                    try:
                        message = worker.connection.recv()
                    except (EOFError, OSError):  # OSError: it died in the middle of a message
                        del workers[worker.connection]
                        reason = worker.post_mortem()
                        num_start_failures = 0 if worker.ready else num_start_failures + 1
                        if num_start_failures == _MAX_START_FAILURES:
                            raise WorkerStartError(f"worker processes do not start: {reason}") from None
                        guilty = worker.under_way.popleft() if worker.under_way else None
                        # What waited behind the guilty task is as good as new: to the front, in its order.
                        waiting.extendleft(reversed(worker.under_way))
                        start_workers()
                        if guilty is not None:
                            yield Crashed(guilty[0], reason)
                        continue
                    if message == READY:
                        worker.ready = True
                        feed(worker)
                    else:
                        worker.take_back()
                        if isinstance(message, Rejected):
                            waiting.clear()
                        feed(worker)  # before the outcome is looked at, so that the worker need not wait for that
                        yield message
        finally:
            for worker in workers.values():
                worker.kill()


class _Worker:
    """One worker process, as seen from here."""

    def __init__(self, function: Function) -> None:
        self.ready = False
        self.under_way: deque[tuple[int, Any]] = deque()  # handed out and unanswered; the first is being worked on
        self._begin_seconds = 0.0  # when it began the first of them
        self._last_duration_seconds = math.inf
        self.connection: Connection[Any, Any]
        self.connection, far_end = Pipe()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [
                    sys.executable,
                    "-m",
                    "nocbench.engines.worker",
                    str(far_end.fileno()),
                    function.__module__,
                    function.__qualname__,
                ],
                pass_fds=[far_end.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                # So that the worker finds whatever this process could import, however it was started.
                env=os.environ | {"PYTHONPATH": os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)},
            )
        finally:
            far_end.close()

    def wants_more(self) -> bool:
        """Whether to hand out another task now.

        A worker whose tasks are short gets the next one ahead of time, so that it never waits for the supervisor. Tasks
        come longest first: the long ones at the beginning are not queued behind each other while other workers idle.
        """
        return not self.under_way or (
            len(self.under_way) == 1 and self._last_duration_seconds < _LONGEST_TASK_WITH_ANOTHER_AHEAD_SECONDS
        )

    def hand_out(self, index: int, task: object) -> None:
        """Sends a task. If the worker is dying, the supervisor learns it from the connection, as ever."""
        if not self.under_way:
            self._begin_seconds = time.monotonic()
        self.under_way.append((index, task))
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send((index, task))

    def take_back(self) -> None:
        """Notes that the first task has been answered."""
        self.under_way.popleft()
        now_seconds = time.monotonic()
        self._last_duration_seconds = now_seconds - self._begin_seconds
        self._begin_seconds = now_seconds

    def post_mortem(self) -> str:
        """Says how the process died and what it said last."""
        try:
            # It may still be busy with its end: an interpreter closes its sockets before it exits.
            status = self._process.wait(timeout=_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self.connection.close()
        how = f"killed by {_signal_name(-status)}" if status < 0 else f"ended with exit status {status}"
        last_words = self._read_log()[-_LAST_WORDS_MAX_CHARACTERS:]
        return f"worker process {how}" + (f"; it said: {last_words}" if last_words else "")

    def dismiss(self) -> None:
        """Lets the process end and passes on what it printed."""
        self.connection.close()
        self._process.wait()
        output = self._read_log()
        if output:
            sys.stderr.write(f"{output}\n")

    def kill(self) -> None:
        """Ends the process whatever it does."""
        self._process.kill()
        self._process.wait()
        self.connection.close()
        self._log.close()

    def _read_log(self) -> str:
        with self._log:
            self._log.seek(0)
            return self._log.read().decode(errors="replace").strip()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
