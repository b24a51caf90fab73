"""A worker process: carries out the tasks that arrive on a socket until the supervisor closes it.

Started by :mod:`nocbench.engines.worker_processes` as ``python -m nocbench.engines.worker SOCKET MODULE FUNCTION``.
"""

from __future__ import annotations

import importlib
import signal
import sys
from multiprocessing.connection import Connection

from nocbench.engines.engine import attempt

READY = "ready"
"""What a worker sends once it has imported everything. A death before that is no task's fault."""


def main(arguments: list[str]) -> None:
    """Serves tasks, each an (index, task), with outcomes, until the other side closes."""
    # Ctrl-C reaches the whole process group; the supervisor decides what it means for the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    socket, module, function_name = arguments
    connection: Connection[object, tuple[int, object]] = Connection(int(socket))
    function = getattr(importlib.import_module(module), function_name)
    try:
        connection.send(READY)
        while True:
            index, task = connection.recv()
            connection.send(attempt(function, index, task))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the supervisor has all it wants, or is gone


if __name__ == "__main__":
    main(sys.argv[1:])
