"""Tasks for worker processes, in a separate module, so that workers can import them."""

from __future__ import annotations

import os
import signal
import sys
import time

from nocbench.support.errors import InputError


def misbehave(task: tuple[str, int]) -> object:
    """Returns ten times the task's number, or fails as its first part requests."""
    kind, number = task
    match kind:
        case "abort":
            sys.stderr.write(f"last words of task {number}\n")
            os.abort()
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "kill_parent":
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(0.2)
        case "exit":
            os._exit(7)
        case "raise":
            raise RuntimeError(f"task {number} is broken")
        case "refuse":
            raise InputError(f"task {number} makes no sense")
        case "unpicklable":
            return lambda: number
        case "sleep":
            time.sleep(0.2)
        case "process":
            return os.getpid()
        case "environment":
            return os.environ.get("MALLOC_TRIM_THRESHOLD_")
        case "large":
            return "x" * 5_000_000
    return 10 * number
