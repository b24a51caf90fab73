"""A worker process: runs the batches of tasks that arrive on a socket until the supervisor closes it.

Started by :mod:`nocbench.running.engines.worker_process` as ``python -m`` with the name of this module and the
arguments SOCKET FILE MODULE FUNCTION.
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
"""Message of a worker after its imports. A death before it is no task's fault."""
_LOOK_SECONDS = 1.0
MARK_BYTES = 8
"""Size of the file with the number, from 1, of the task that runs; 0: none."""


def main(arguments: list[str]) -> None:
    """Replies to batches until the other side closes."""
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
        return  # the supervisor has finished, or is gone


def end_with(parent: int) -> None:
    """Ends this process once the supervisor is gone, so that a long task does not run for nobody."""
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
        # Pickled here, so that failure is the task's own.
        outcomes.append(bytes(ForkingPickler.dumps(outcome)))
        if isinstance(outcome, Rejected):
            break
    mark[:] = bytes(MARK_BYTES)
    return Reply(outcomes, time.process_time() - begin_cpu_seconds)


if __name__ == "__main__":
    main(sys.argv[1:])
