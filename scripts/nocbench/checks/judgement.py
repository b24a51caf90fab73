"""Findings as a fault of a run's data: what a suite's gate looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.checks.allowances import judged
from nocbench.programs.execution import Watch, WatchedRunError, run_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection

    from nocbench.programs.execution import Machine, ProgramRun
    from nocbench.programs.program import ProgramDescription


def run_checked(
    program: ProgramDescription, machine: Machine, checks: Collection[str], *, trace_records: int = 0
) -> ProgramRun:
    """Runs a program with checks. Findings that no comment allows make its data wrong.

    Raises:
        InputError: as :func:`run_program`, and :func:`nocbench.checks.allowances.judged`.
    """
    try:
        run = run_program(program, machine, watch=Watch(checks), trace_records=trace_records)
    except WatchedRunError as fault:
        findings, _ = judged(fault.checked, checks)
        lines = [line for finding in findings for line in finding.lines()]
        raise InputError("\n".join([str(fault), *lines])) from None
    findings, _ = judged(run.checked, checks)
    if findings:
        more = f", and {len(findings) - 1} more" if findings[1:] else ""
        text = f"{findings[0].second.place}: {findings[0].check}: {findings[0].kind}{more}"
        for index, row in enumerate(run.rows):
            row["data_ok"] = False
            run.result["data_faults"][index] = run.result["data_faults"][index] or text
    return run
