#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how busy a sweep of short points keeps the cores: processor time of all workers / (workers x wall time).

    .venv/bin/python benchmarks/sweep_utilization.py --points 20000

Each point is of One to One with few transactions and takes at most a millisecond. Run the benchmark on an idle machine.
On a busy machine, read the column "runnable": the share of the time in which workers ran or waited for a core.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENGINES = {"processes": ["-j{jobs}"], "dask": ["-j{jobs}", "--cluster", "local"]}
WORKER_COMMAND = "nocbench.running.engines.worker"
SAMPLE_SECONDS = 0.05
SIZES = 100


def main() -> None:
    """Runs the sweep with each engine, and prints one line per engine."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--points", type=int, default=20_000, help="about how many points (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="workers (default: %(default)s)")
    parser.add_argument("--engine", choices=sorted(ENGINES), action="append", help="only this one")
    arguments = parser.parse_args()
    counts = max(1, arguments.points // SIZES)
    print("engine     points  wall s  CPU of workers s  CPU of the rest s  utilization  runnable")
    for engine in arguments.engine or ENGINES:
        wall, worker_cpu, other_cpu, runnable = measure(engine, counts, arguments.jobs)
        print(
            f"{engine:9}  {counts * SIZES:6}  {wall:6.1f}  {worker_cpu:16.1f}  {other_cpu:17.1f}"
            f"  {100 * worker_cpu / (arguments.jobs * wall):9.0f} %  {100 * runnable / (arguments.jobs * wall):6.0f} %",
            flush=True,
        )


def measure(engine: str, counts: int, jobs: int) -> tuple[float, float, float, float]:
    """Returns seconds: wall time, processor time of workers, that of other processes, and runnable time of workers."""
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, "-m", "nocbench", "run", "One to One Packet Sizes", "--arch", "wormhole_b0"]
        command += ["--no-cache", "-a", f"num_transactions=1:{counts}:+1", "-a", f"call_size=32:{32 * SIZES}:+32"]
        command += ["-o", f"{directory}/results.csv", *(option.format(jobs=jobs) for option in ENGINES[engine])]
        begin_seconds = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seen: dict[int, tuple[str, float, float]] = {}
        while process.poll() is None:
            for pid in descendants(process.pid):
                times = processor_times(pid)
                if times is not None:
                    seen[pid] = (kind_of(pid) or seen.get(pid, ("", 0.0, 0.0))[0], *times)
            time.sleep(SAMPLE_SECONDS)
        wall_seconds = time.monotonic() - begin_seconds
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    workers = [(cpu, waited) for kind, cpu, waited in seen.values() if kind == "worker"]
    others = [cpu for kind, cpu, _ in seen.values() if kind != "worker"]
    return wall_seconds, sum(cpu for cpu, _ in workers), sum(others), sum(cpu + waited for cpu, waited in workers)


def descendants(pid: int) -> list[int]:
    """Returns a process and its descendants."""
    found = [pid]
    for parent in found:  # the loop body appends to `found`
        try:
            tasks = os.listdir(f"/proc/{parent}/task")
            for task in tasks:
                found += [int(child) for child in Path(f"/proc/{parent}/task/{task}/children").read_text().split()]
        except OSError:  # the process has ended
            continue
    return found


def kind_of(pid: int) -> str:
    """Returns "worker" for a process that runs points, "other" for others, and "" if the process has ended."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return ""
    if words == [""]:  # the process has just ended
        return ""
    return "worker" if WORKER_COMMAND in words else "other"


def processor_times(pid: int) -> tuple[float, float] | None:
    """Returns the seconds that all threads of a process ran, and those that they waited for a core."""
    ran = waited = 0
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            fields = Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()
            ran += int(fields[0])
            waited += int(fields[1])
    except OSError:
        return None
    return ran / 1e9, waited / 1e9


if __name__ == "__main__":
    main()
