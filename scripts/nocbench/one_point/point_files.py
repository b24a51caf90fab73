"""Files that replace a point of a test: programs, tables of flows, and traces of NoC events."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.flow_tables.execution import point_of as point_of_table
from nocbench.flow_tables.execution import run_flow_table
from nocbench.flow_tables.table_files import is_flow_file, machines_for_flows, read_flow_table
from nocbench.flow_tables.work import work_of
from nocbench.host.one_program import chosen_program, is_host_program, run_one_program
from nocbench.points.point import Point
from nocbench.programs.execution import run_program
from nocbench.programs.program_file import is_program_file, read_program
from nocbench.programs.targets import machines_for, point_of
from nocbench.replaying.conversion import Pace, flow_table_of
from nocbench.replaying.execution import machine_of
from nocbench.replaying.trace_file import is_trace_file, read_traces
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from nocbench.flow_tables.flow_table import FlowTable
    from nocbench.points.accuracy import Accuracy
    from nocbench.points.own_run import OwnRun
    from nocbench.programs.execution import Machine
    from nocbench.programs.program import ProgramDescription


@dataclass(frozen=True, slots=True)
class FilePoint:
    """A file on a machine.

    Attributes:
        point: point of a test named after the file, for reports.
        run: function that runs the file and records at most the given number of events of each kind; 0: no recording.
    """

    point: Point
    run: Callable[[int], OwnRun]


def is_point_file(text: str) -> bool:
    """Returns True for a word of the command line that names a file to run, as opposed to a test."""
    return is_program_file(text) or is_flow_file(Path(text)) or is_host_program(text)


def points_of_file(
    path: Path,
    arch: str,
    board: str,
    settings: Sequence[tuple[str, str]],
    assignments: Mapping[str, str],
    accuracy: Accuracy,
) -> Iterator[FilePoint]:
    """Yields a file on each chosen machine; without a choice, on each machine that the file is for.

    Args:
        path: path of the file.
        arch: chosen architecture, or empty.
        board: chosen board, or empty.
        settings: fields to change.
        assignments: parameters of a program, or the number of one that a host program enqueues.
        accuracy: value of `--accuracy`.

    Raises:
        InputError: no such file, machine or parameter, or mistakes in the file.
    """

    def table_on(table: FlowTable, machine: Machine) -> FilePoint:
        on = machine.at_accuracy(accuracy, partial(work_of, table, machine))
        return FilePoint(point_of_table(table, on), partial(_run_table, table, on))

    if is_flow_file(path) and assignments:
        raise InputError(f"-a sets a parameter of a program file; {path} has none")
    if is_trace_file(path):
        for trace in read_traces(path):
            machine = machine_of(trace, arch, board, settings)
            converted, on = flow_table_of(trace, machine, Pace.RECORDED)
            yield table_on(converted.table, on)
        return
    if is_flow_file(path):
        for machine in machines_for_flows(path, arch, board, settings):
            yield table_on(*read_flow_table(path, machine))
        return
    if is_host_program(str(path)):
        number = chosen_program(path, assignments)
        for machine in machines_for(None, arch, board, settings):
            point = Point(machine.arch, machine.board, path.stem, tuple(assignments.items()), machine.settings)
            yield FilePoint(point, partial(run_one_program, path, machine, number))
        return
    for machine in machines_for(path, arch, board, settings):
        program = read_program(path, machine, assignments)
        on = machine.at_accuracy(accuracy, lambda: None)
        yield FilePoint(point_of(program, on), partial(_run_program, program, on))


def one_point_of_file(
    path: Path,
    arch: str,
    board: str,
    settings: Sequence[tuple[str, str]],
    assignments: Mapping[str, str],
    accuracy: Accuracy,
) -> FilePoint:
    """Returns a file on its only machine. The arguments are those of :func:`points_of_file`.

    Raises:
        InputError: there are several machines or operations; or as for :func:`points_of_file`.
    """
    points = list(points_of_file(path, arch, board, settings, assignments, accuracy))
    if len(points) > 1:
        names = " or ".join(point.point.arch for point in points)
        if len({point.point.arch for point in points}) == 1:
            raise InputError(f"{path}: expected a trace of one operation, found {len(points)} operations")
        raise InputError(f"{path}: expected one architecture, found several; choose one with --arch: {names}")
    return points[0]


def _run_table(table: FlowTable, machine: Machine, trace_records: int) -> OwnRun:
    return run_flow_table(table, machine, trace_records=trace_records)


def _run_program(program: ProgramDescription, machine: Machine, trace_records: int) -> OwnRun:
    return run_program(program, machine, trace_records=trace_records)
