"""Replay of traces on a modeled chip, and comparison of times."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from nocbench.flow_tables.execution import FlowTableRun, run_flow_table
from nocbench.flow_tables.work import work_of
from nocbench.points.accuracy import EXACTLY, Accuracy
from nocbench.programs.execution import CYCLES_MAX
from nocbench.programs.targets import machines_for
from nocbench.replaying.conversion import Pace, chip_of, flow_table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from nocbench.checks.findings import Finding
    from nocbench.programs.execution import Machine
    from nocbench.replaying.trace_file import Event, Trace


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed trace.

    Attributes:
        trace: recorded trace.
        pace: time of calls.
        run: run of the model. Its flows are the events, sorted by processor.
        events: events in the order of the flows.
    """

    trace: Trace
    pace: Pace
    run: FlowTableRun
    events: Sequence[Event]

    @property
    def predicted_cycles(self) -> float:
        """Cycles from the first record to the last event, comparable to :attr:`Trace.recorded_cycles`."""
        return max(begin for begin, _ in self.run.flow_times)

    @property
    def difference(self) -> float:
        """Relative error of the prediction; 0 if the trace took no time."""
        recorded = self.trace.recorded_cycles
        return self.predicted_cycles / recorded - 1 if recorded else 0.0

    def findings(self) -> list[Finding]:
        """Returns what checks have found."""
        return self.run.findings([event.number for event in self.events])

    def barrier_cycles(self) -> tuple[float, float]:
        """Returns recorded and predicted cycles in completed barriers, summed over all processors."""
        recorded = predicted = 0.0
        for number, event in enumerate(self.events):
            if event.meaning.ends:  # the event before is the beginning of the barrier
                begin, end = self.run.flow_times[number - 1]
                recorded += event.timestamp - self.events[number - 1].timestamp
                predicted += end - begin
        return recorded, predicted

    def waits(self) -> Mapping[str, float]:
        """Returns cycles of all processors by cause, the largest first."""
        waits: Counter[str] = Counter()
        for core in self.run.result["cores"]:
            waits.update(core["waits"])
        return dict(waits.most_common())


def machine_of(
    trace: Trace, arch: str, board: str, settings: Sequence[tuple[str, str]], recorded_on: str = ""
) -> Machine:
    """Returns the machine to replay a trace on: the chosen machine, else one with the trace's chip.

    Args:
        trace: trace to replay.
        arch: chosen architecture, or empty.
        board: chosen board, or empty.
        settings: fields to change.
        recorded_on: architecture of the card; if empty, found by the coordinates of cores.

    Raises:
        InputError: no such machine, or no chip has the tiles of the trace.
    """
    if not arch and not board:
        arch = recorded_on or chip_of(trace)
    [machine] = machines_for(None, arch, board, settings)
    return machine


def replay(
    trace: Trace,
    machine: Machine,
    pace: Pace,
    *,
    recorded_on: str = "",
    cycles_max: int = CYCLES_MAX,
    trace_records: int = 0,
    accuracy: Accuracy = EXACTLY,
    checks: Collection[str] = (),
) -> Replay:
    """Replays a trace on a new device.

    Args:
        trace: trace to replay.
        machine: machine of the replay.
        pace: time of calls.
        recorded_on: architecture of the card; if empty, found by the coordinates of cores.
        cycles_max: limit of the modeled run time.
        trace_records: maximum number of recorded events of each kind; 0: no recording.
        accuracy: value of `--accuracy`.
        checks: names of checks.

    Raises:
        InputError: tiles that the machine does not have, or inconsistent events.
    """
    conversion, on = flow_table_of(trace, machine, pace, recorded_on)
    on = on.at_accuracy(accuracy, partial(work_of, conversion.table, on))
    run = run_flow_table(conversion.table, on, cycles_max=cycles_max, trace_records=trace_records, checks=checks)
    return Replay(trace, pace, run, conversion.events)
