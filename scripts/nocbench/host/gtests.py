"""Gtests of a host program, each on its own: a crash ends only one of them, and several run at the same time."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nocbench.host.running import HostOptions, HostRun, run_library
from nocbench.running.engines.engine import Crashed, Finished
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from nocbench.host.building import HostRequest
    from nocbench.programs.execution import Machine
    from nocbench.running.engines.engine import Engine, Outcome

FAILED = "failed"


@dataclass(frozen=True, slots=True)
class GtestProgram:
    """A compiled host program with gtests.

    Attributes:
        library: its file.
        request: its sources, whose folders have the kernels.
        machine: machine for each gtest.
        options: options of each gtest's run, but for the arguments.
    """

    library: Path
    request: HostRequest
    machine: Machine
    options: HostOptions

    def run(self, *arguments: str) -> HostRun:
        """Runs it once."""
        options = replace(self.options, arguments=arguments)
        return run_library(self.library.read_bytes(), self.request, self.machine, options)

    def names(self, pattern: str) -> list[str]:
        """Returns the names of gtests, with their fixtures. Raises InputError if none matches the pattern."""
        with tempfile.TemporaryDirectory(prefix="nocbench-gtests-") as folder:
            report = Path(folder) / "names.json"
            with _printing_to(Path(folder) / "names.txt"):
                self.run("--gtest_list_tests", f"--gtest_filter={pattern}", f"--gtest_output=json:{report}")
            names = [f"{suite['name']}.{test['name']}" for suite, test in _tests_in(report)]
        if not names:
            raise InputError(f"--gtest_filter {pattern}: expected the name of a gtest, found none that matches")
        return names


@dataclass(frozen=True, slots=True)
class GtestRun:
    """Run of a gtest.

    Attributes:
        name: its name, with the fixture.
        outcome: "passed", "failed" or "skipped".
        run: results of its programs.
        words: its output, unless it has printed it, and why it has failed; empty for others.
    """

    name: str
    outcome: str
    run: HostRun
    words: str


class _Task(NamedTuple):
    program: GtestProgram
    name: str
    output: Path | None  # None: it prints as this process does


def run_gtests(
    program: GtestProgram,
    names: list[str],
    engine: Engine,
    *,
    is_captured: bool,
    on_progress: Callable[[int], None],
) -> list[GtestRun]:
    """Runs gtests on an engine; Ctrl-C leaves out those that have not ended. Results do not depend on the engine.

    Args:
        program: the program that has them.
        names: their names, with fixtures.
        engine: engine for the runs.
        is_captured: True to return the output instead of printing it.
        on_progress: called with the number of gtests that have ended.
    """
    with tempfile.TemporaryDirectory(prefix="nocbench-gtests-") as folder:
        files = [Path(folder) / str(number) if is_captured else None for number in range(len(names))]
        tasks = [_Task(program, name, file) for name, file in zip(names, files, strict=True)]
        outcomes: list[Outcome] = []
        try:
            for outcome in engine.run(run_gtest, tasks):
                outcomes.append(outcome)
                on_progress(len(outcomes))
        except KeyboardInterrupt:
            if not outcomes:
                raise
        runs = [_run_of(tasks[outcome.index], outcome) for outcome in sorted(outcomes, key=lambda one: one.index)]
    first = 0
    for each in runs:
        each.run.programs[:] = [one.numbered(first + one.runtime_id) for one in each.run.programs]
        first = 1 + max((one.runtime_id for one in each.run.programs), default=first - 1)
    return runs


def _run_of(task: _Task, outcome: Outcome) -> GtestRun:
    if isinstance(outcome, Finished):
        result, run = outcome.value
        reason = run.failure
    else:
        result, run = FAILED, HostRun(task.program.machine)
        reason = outcome.reason if isinstance(outcome, Crashed) else outcome.message
    words = ""
    if result == FAILED and task.output is not None and task.output.exists():
        words = task.output.read_text(encoding="utf-8", errors="replace")
    return GtestRun(task.name, result, run, words + reason)


def joined(machine: Machine, gtests: Iterable[GtestRun]) -> HostRun:
    """Returns the results of all gtests."""
    whole = HostRun(machine)
    for each in gtests:
        whole.programs += each.run.programs
        whole.checked += each.run.checked
    return whole


def run_gtest(task: _Task) -> tuple[str, HostRun]:
    """Runs a gtest, in any process; returns its outcome and results."""
    with tempfile.TemporaryDirectory(prefix="nocbench-gtest-") as folder, ExitStack() as stack:
        if task.output is not None:
            stack.enter_context(_printing_to(task.output))
        report = Path(folder) / "report.json"
        try:
            run = task.program.run(f"--gtest_filter={task.name}", f"--gtest_output=json:{report}", "--gtest_brief=1")
        except InputError as error:  # no reason to leave out the others
            run = HostRun(task.program.machine, failure=str(error))
        if run.failure:
            return FAILED, run
        ((_, test),) = _tests_in(report)
        return FAILED if "failures" in test else "skipped" if test.get("result") == "SKIPPED" else "passed", run


def _tests_in(report: Path) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Yields each suite and test in a report of Google Test in JSON."""
    for suite in json.loads(report.read_text(encoding="utf-8"))["testsuites"]:
        for test in suite["testsuite"]:
            yield suite, test


@contextmanager
def _printing_to(file: Path) -> Iterator[None]:
    """Makes standard output and error of C++ code go into a file."""
    with file.open("wb") as target:
        before = [(stream, os.dup(stream)) for stream in (1, 2)]
        for stream, _ in before:
            os.dup2(target.fileno(), stream)
        try:
            yield
        finally:
            for stream, kept in before:
                os.dup2(kept, stream)
                os.close(kept)
