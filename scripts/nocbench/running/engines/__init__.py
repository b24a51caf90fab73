"""Engines that run independent tasks: outcomes are equal, speeds and consequences of a crash differ."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.running.engines.engine import LOCAL
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from nocbench.running.engines.engine import Engine

_ENCRYPTED = ("tls", "wss")

_MAX_WORKERS = 256
"""Maximum number of worker processes on a machine: each takes some 30 MB and two open files."""


def make_engine(jobs: int | None, num_tasks: int, cluster: str | None = None) -> Engine:
    """Returns an engine.

    Args:
        jobs: number of worker processes; None: the number of usable processors; 0: run in this process.
        num_tasks: number of tasks, which limits the number of workers.
        cluster: address of the scheduler of a Dask cluster; "local": a cluster on this machine with `jobs` workers.

    Raises:
        InputError: a negative number, more processes than make sense, or options that exclude each other.
    """
    if cluster is not None and cluster != LOCAL:
        from nocbench.running.engines.dask_cluster import DaskCluster

        if jobs is not None:
            raise InputError(f"{jobs} jobs: the cluster at {cluster} has its own number of workers; leave -j out")
        return DaskCluster(cluster)
    if jobs is None:
        jobs = min(len(os.sched_getaffinity(0)), _MAX_WORKERS)
    if jobs < 0:
        raise InputError(f"{jobs} jobs: the number of worker processes cannot be negative")
    if cluster == LOCAL:
        from nocbench.running.engines.dask_cluster import DaskCluster

        if jobs == 0:
            raise InputError("0 jobs: a local cluster has one worker at least")
        return DaskCluster(LOCAL, max(1, min(jobs, num_tasks)))
    if jobs > _MAX_WORKERS:
        raise InputError(f"{jobs} jobs: expected at most {_MAX_WORKERS} worker processes, found {jobs}")
    if jobs == 0:
        from nocbench.running.engines.in_process import InProcess

        return InProcess()
    if num_tasks == 1 and can_fork():
        from nocbench.running.engines.forked import ForkedProcesses

        return ForkedProcesses()
    from nocbench.running.engines.worker_processes import WorkerProcesses

    return WorkerProcesses(max(1, min(jobs, num_tasks)))


def can_fork() -> bool:
    """Returns True if this process has a single thread.

    A fork of a process with several would wait for locks of the others for ever.
    """
    try:
        return len(list(Path("/proc/self/task").iterdir())) == 1
    except OSError:
        return False


def note_on_trust(cluster: str | None) -> str:
    """Returns a warning about an unprotected connection to a cluster; empty for a protected one."""
    if cluster is None or cluster == LOCAL:
        return ""
    protocol, _, place = cluster.partition("://")
    host = place.rpartition(":")[0].strip("[]")
    if protocol in _ENCRYPTED or _is_this_machine(host):
        return ""
    return (
        f"the connection to {cluster} is neither encrypted nor authenticated: whoever reaches its ports can run "
        "code on its machines; tls://HOST:PORT is both (docs/sweeps.md)"
    )


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
