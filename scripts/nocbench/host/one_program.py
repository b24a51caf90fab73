"""One of the programs that a host program enqueues, for a look at it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.host.building import HostRequest
from nocbench.host.running import HostOptions, run_host_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nocbench.host.running import EnqueuedProgram
    from nocbench.programs.execution import Machine

_PROGRAM = "program"
HOST_SOURCES = (".cpp", ".cc", ".cxx")


def is_host_program(text: str) -> bool:
    """Returns True for a word of the command line that names a host program."""
    return Path(text).suffix in HOST_SOURCES


def chosen_program(path: Path, assignments: Mapping[str, str]) -> int | None:
    """Returns the number in `program=NUMBER`; None without one. Raises InputError for other assignments."""
    unknown = sorted(set(assignments) - {_PROGRAM})
    if unknown:
        raise InputError(f"-a {unknown[0]}: expected program=NUMBER, the only choice for the host program {path}")
    number = assignments.get(_PROGRAM)
    if number is not None and not number.isdigit():
        raise InputError(f"-a {_PROGRAM}: expected the number of an enqueued program, found '{number}'")
    return None if number is None else int(number)


def run_one_program(path: Path, machine: Machine, number: int | None, trace_records: int) -> EnqueuedProgram:
    """Runs a host program, and returns the first program that it enqueues, or the first with a number.

    Args:
        path: source of the host program.
        machine: machine for the run.
        number: number of the program; None: the first one.
        trace_records: maximum number of recorded events of each kind; 0: no recording.

    Raises:
        InputError: there is no such program; or as :func:`nocbench.host.running.run_host_program`.
    """
    options = HostOptions(recorded_program=number, trace_records=trace_records)
    run = run_host_program(HostRequest((path,)), machine, options)
    for program in run.programs:
        if number in (None, program.runtime_id):
            return program
    if run.failure:
        raise InputError(run.failure)
    found = ", ".join(str(program.runtime_id) for program in run.programs) or "none"
    raise InputError(
        f"{path}: expected to enqueue {'a program' if number is None else f'program {number}'}, found {found}"
    )
