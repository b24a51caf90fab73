"""Engine that forks this process for each task: modules are already imported; a crash affects one task only."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import tempfile
import threading
import traceback
from multiprocessing.reduction import ForkingPickler
from typing import TYPE_CHECKING, Any

from nocbench.running.engines.engine import Crashed, Function, Outcome, Rejected, attempt
from nocbench.running.engines.worker import end_with
from nocbench.running.engines.worker_process import read_words, reason_of_death

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import BinaryIO


class ForkedProcesses:
    """See :class:`nocbench.running.engines.engine.Engine`. Runs one task at a time."""

    description = "a copy of this process"

    def run(self, function: Function, tasks: Sequence[Any]) -> Generator[Outcome, None, None]:
        """Yields the outcomes in the order of the tasks."""
        for index, task in enumerate(tasks):
            outcome = _carry_out(function, index, task)
            yield outcome
            if isinstance(outcome, Rejected):
                return


def _carry_out(function: Function, index: int, task: object) -> Outcome:
    parent = os.getpid()
    with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as answer:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            _be_the_copy(function, index, task, parent, log, answer)
        try:
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        except BaseException:  # the caller has given up
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise
        words = read_words(log)
        if status != 0:
            return Crashed(index, reason_of_death(status, words))
        if words:
            sys.stderr.write(f"{words}\n")
        answer.seek(0)
        outcome: Outcome = pickle.loads(answer.read())  # noqa: S301 - pickled by our child
        return outcome


def _be_the_copy(function: Function, index: int, task: object, parent: int, log: BinaryIO, answer: BinaryIO) -> None:
    """Runs a task, and ends this process in any case."""
    status = 1
    try:
        # Ctrl-C reaches the whole process group; the parent handles it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for stream in (1, 2):
            os.dup2(log.fileno(), stream)
        sys.stdout = sys.stderr = os.fdopen(1, "w", buffering=1, closefd=False)  # replaces a notebook's streams
        threading.Thread(target=end_with, args=[parent], daemon=True).start()
        answer.write(bytes(ForkingPickler.dumps(attempt(function, index, task))))
        answer.flush()
        status = 0
    except BaseException:  # the child must never continue the caller's code
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
