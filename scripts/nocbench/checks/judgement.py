"""Findings as a fault of a run's data: what a suite's gate looks at."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nocbench.checks.allowances import judged
from nocbench.programs.execution import Watch, WatchedRunError, run_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from nocbench.checks.allowances import Allowance
    from nocbench.checks.findings import Finding
    from nocbench.programs.execution import CheckedProgram, Machine, ProgramRun
    from nocbench.programs.program import ProgramDescription


def findings_of_program(
    program: ProgramDescription, machine: Machine, checks: Collection[str]
) -> tuple[list[Finding], list[Allowance]]:
    """Runs a program with checks. Returns what they find, and the comments that silence some.

    Raises:
        InputError: as :func:`run_checked`.
    """
    with _findings_in_error(checks):
        return judged([run_program(program, machine, watch=Watch(checks)).checked], checks)


def run_checked(
    program: ProgramDescription, machine: Machine, checks: Collection[str], folder: Path, *, trace_records: int = 0
) -> ProgramRun:
    """Runs a program with checks. Findings that no comment allows make its data wrong.

    The fault of the data names the first finding, with its file from `folder` on: see :mod:`nocbench.checks.faults`.

    Raises:
        InputError: as :func:`run_program`, and :func:`nocbench.checks.allowances.judged`.
    """
    with _findings_in_error(checks):
        run = run_program(program, machine, watch=Watch(checks), trace_records=trace_records)
    mark_findings(run.result, judged([run.checked], checks)[0], folder)
    return run


def mark_findings(result: Mapping[str, Any], findings: Sequence[Finding], folder: Path) -> None:
    """Makes the data of a result wrong if there are findings; see :func:`run_checked`."""
    if not findings:
        return
    more = f", and {len(findings) - 1} more" if findings[1:] else ""
    access = findings[0].second
    place = f"{os.path.relpath(access.file, folder)}:{access.line}" if access.file else access.place
    text = f"{place}: {findings[0].check}: {findings[0].kind}{more}"
    for index, row in enumerate(result["rows"]):
        row["data_ok"] = False
        result["data_faults"][index] = result["data_faults"][index] or text


@contextmanager
def _findings_in_error(checks: Collection[str]) -> Iterator[None]:
    """Adds findings to the message of a run that fails."""
    try:
        yield
    except WatchedRunError as fault:
        raise error_with_findings(str(fault), [fault.checked], checks) from None


def error_with_findings(message: str, programs: Sequence[CheckedProgram], checks: Collection[str]) -> InputError:
    """Returns the error of a run that failed, with the findings of its programs, which often are its cause."""
    lines = [line for finding in judged(programs, checks)[0] for line in finding.lines()]
    return InputError("\n".join([message, *lines]))
