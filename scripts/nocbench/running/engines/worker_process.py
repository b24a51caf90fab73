"""The supervisor's side of a worker process.

Workers are new interpreters. A fork of a process with threads, such as a notebook's, may hang. A process that
`multiprocessing` spawns imports the user's script again, so that the script would need a guard around its main part.
Starting a worker takes about 25 ms. Sending a batch and its outcomes takes about 0.1 ms.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections import deque
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from nocbench.running.engines.engine import Crashed
from nocbench.running.engines.worker import MARK_BYTES, READY

if TYPE_CHECKING:
    from collections.abc import Collection

    from nocbench.running.engines.batch import Batch
    from nocbench.running.engines.engine import Function, Outcome

_END_SECONDS = 5.0
_LAST_WORDS_MAX_CHARACTERS = 2000


class Death(NamedTuple):
    """Death of a worker.

    Attributes:
        reason: reason, with the last output of the worker.
        guilty: outcome "crashed" of the running task; None without a running task.
        lost: all other tasks of the worker, which can run elsewhere.
    """

    reason: str
    guilty: Crashed | None
    lost: list[tuple[int, Any]]


class WorkerDiedError(Exception):
    """The worker process at the other end of the connection has died."""


class WorkerProcess:
    """A worker process, which runs batches of tasks and answers them in order.

    Attributes:
        connection: connection to the worker; readable after an answer or a death.
        is_ready: True after the worker's imports.
        under_way: unanswered batches; the first one is running.
        last_batch_seconds: processor time of the last answered batch.
    """

    def __init__(self, function: Function, *, without_variables: Collection[str] = ()) -> None:
        """Starts the process.

        `function` is at the top of a module; `without_variables` are removed from the environment.
        """
        self.is_ready = False
        self.under_way: deque[Batch] = deque()
        self.last_batch_seconds = 0.0
        self.connection: Connection[Any, Any]
        self.connection, far_end = Pipe()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
        self._mark = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
        self._mark.truncate(MARK_BYTES)
        environment = {name: value for name, value in os.environ.items() if name not in without_variables}
        try:
            self._process = subprocess.Popen(  # noqa: S603 - a module of nocbench
                [
                    sys.executable,
                    "-m",
                    "nocbench.running.engines.worker",
                    str(far_end.fileno()),
                    str(self._mark.fileno()),
                    function.__module__,
                    function.__qualname__,
                ],
                pass_fds=[far_end.fileno(), self._mark.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                # The worker finds all modules that this process can import, however this process was started.
                env=environment | {"PYTHONPATH": os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)},
            )
        finally:
            far_end.close()

    def hand_out(self, batch: Batch) -> None:
        """Sends a batch. :meth:`receive` reports a dying worker."""
        self.under_way.append(batch)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(batch)

    def receive(self) -> tuple[Batch, list[Outcome]] | None:
        """Waits for and returns the answer to the first batch; returns None if the message is that the worker is ready.

        Raises:
            WorkerDiedError: the worker has died.
        """
        try:
            message = self.connection.recv()
        except (EOFError, OSError):  # OSError: death within a message
            raise WorkerDiedError from None
        if message == READY:
            self.is_ready = True
            return None
        self.last_batch_seconds = message.seconds
        return self.under_way.popleft(), [pickle.loads(outcome) for outcome in message.outcomes]  # noqa: S301 - own

    def post_mortem(self) -> Death:
        """Returns reason and consequences of a death."""
        try:
            # The process may still be ending: an interpreter closes its sockets before it exits.
            status = self._process.wait(timeout=_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self.connection.close()
        mark = int.from_bytes(os.pread(self._mark.fileno(), MARK_BYTES, 0), "little")
        self._mark.close()
        reason = f"worker {reason_of_death(status, self._read_log())}"
        tasks = [task for batch in self.under_way for task in batch.tasks]
        guilty = next((Crashed(index, reason) for index, _ in tasks if index == mark - 1), None)
        return Death(reason, guilty, [task for task in tasks if task[0] != mark - 1])

    def dismiss(self) -> None:
        """Closes the connection, waits for the end of the process, and prints its output."""
        self.connection.close()
        self._mark.close()
        self._process.wait()
        output = self._read_log()
        if output:
            sys.stderr.write(f"{output}\n")

    def kill(self) -> None:
        """Kills the process."""
        self._process.kill()
        self._process.wait()
        self.connection.close()
        self._mark.close()
        self._log.close()

    def _read_log(self) -> str:
        with self._log:
            return read_words(self._log)


def read_words(log: IO[bytes]) -> str:
    """Returns the output of a process."""
    log.seek(0)
    return log.read().decode(errors="replace").strip()


def reason_of_death(status: int, words: str) -> str:
    """Returns a death in words, with the last output: "process killed by SIGSEGV".

    Args:
        status: exit status; for a killed process, minus the number of the signal.
        words: complete output of the process.
    """
    how = f"killed by {_signal_name(-status)}" if status < 0 else f"ended with exit status {status}"
    last_words = words[-_LAST_WORDS_MAX_CHARACTERS:]
    return f"process {how}" + (f"; it said: {last_words}" if last_words else "")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
