"""Worker process that runs batches of tasks from a socket until the supervisor closes the socket.

:mod:`nocbench.running.engines.worker_process` starts this module by ``python -m``, with the arguments SOCKET FILE
MODULE FUNCTION.
"""

from __future__ import annotations

import importlib
import mmap
import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler

from nocbench.running.engines.batch import Batch, Reply
from nocbench.running.engines.engine import Function, Rejected, attempt

READY = "ready"
"""Message of a worker after its imports. No task is to blame for a death before this message."""
_LOOK_SECONDS = 1.0
MARK_BYTES = 8
"""Size of the file with the number of the running task, from 1; 0: none."""


def main(arguments: list[str]) -> None:
    """Replies to batches until the supervisor closes the socket."""
    threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()
    # Ctrl-C reaches the whole process group; the supervisor handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    socket, mark_file, module, function_name = arguments
    connection: Connection[object, Batch] = Connection(int(socket))
    mark = mmap.mmap(int(mark_file), MARK_BYTES)
    function = getattr(importlib.import_module(module), function_name)
    try:
        connection.send(READY)
        while True:
            connection.send(_carry_out(function, connection.recv(), mark))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the supervisor has finished, or has died


def end_with(parent: int) -> None:
    """Ends this process after the supervisor has died, which would leave a long task running without use."""
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


def _carry_out(function: Function, batch: Batch, mark: mmap.mmap) -> Reply:
    begin_seconds = time.monotonic()
    begin_cpu_seconds = time.process_time()
    outcomes: list[bytes] = []
    for index, task in batch.tasks:
        if outcomes and time.monotonic() - begin_seconds > batch.budget_seconds:
            break
        mark[:] = (index + 1).to_bytes(MARK_BYTES, "little")
        outcome = attempt(function, index, task)
        # Pickle here, so that a failure counts as the task's.
        outcomes.append(bytes(ForkingPickler.dumps(outcome)))
        if isinstance(outcome, Rejected):
            break
    mark[:] = bytes(MARK_BYTES)
    return Reply(outcomes, time.process_time() - begin_cpu_seconds)


if __name__ == "__main__":
    main(sys.argv[1:])
