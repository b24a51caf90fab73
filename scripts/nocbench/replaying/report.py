"""Reports on replayed traces, as text and as JSON."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nocbench.replaying.execution import Replay

COMPARISON_COLUMNS = ("", "recorded", "predicted", "difference")
WAIT_COLUMNS = ("cycles of all processors", "cycles", "share")
SUMMARY_COLUMNS = ("trace", "operation", "arch", "events", "recorded", "predicted", "difference", "most waits")


def heading(replay: Replay) -> str:
    """Returns a line on the trace and the machine."""
    run = replay.run
    trace = replay.trace
    cores = len({event.core for event in replay.events})
    operation = f", {trace.operation}" if trace.operation else ""
    return (
        f"{run.table.name}{operation} on {run.machine.arch} ({run.rows[0]['board']}), "
        f"{'at recorded times' if replay.pace.value == 'recorded' else 'as dependencies allow'}: "
        f"{plural(len(replay.events), 'event')} of {plural(cores, 'core')}"
    )


def comparison_cells(replay: Replay) -> Iterator[Sequence[object]]:
    """Yields table rows of recorded and predicted figures: see :data:`COMPARISON_COLUMNS`."""
    recorded, predicted = replay.barrier_cycles()
    yield _compared("cycles", replay.trace.recorded_cycles, replay.predicted_cycles)
    if recorded or predicted:
        yield _compared("cycles in barriers, of all processors", recorded, predicted)


def _compared(what: str, recorded: float, predicted: float) -> Sequence[object]:
    difference = f"{predicted / recorded - 1:+.1%}" if recorded else ""
    return what, f"{recorded:.10g}", f"{predicted:.10g}", difference


def wait_cells(replay: Replay) -> Iterator[Sequence[object]]:
    """Yields table rows of waits by cause: see :data:`WAIT_COLUMNS`."""
    waits = replay.waits()
    total = sum(waits.values()) or 1.0
    for cause, cycles in waits.items():
        yield cause, f"{cycles:.10g}", f"{cycles / total:.1%}"


def summary_cells(replay: Replay) -> Sequence[object]:
    """Returns the row of a trace in a table of several: see :data:`SUMMARY_COLUMNS`."""
    return (
        replay.trace.path.name,
        replay.trace.operation,
        replay.run.machine.arch,
        len(replay.events),
        replay.trace.recorded_cycles,
        f"{replay.predicted_cycles:.10g}",
        f"{replay.difference:+.1%}",
        next(iter(replay.waits()), ""),
    )


def summary_line(replays: Sequence[Replay]) -> str:
    """Returns a line on the errors of several predictions."""
    errors = [abs(replay.difference) for replay in replays]
    middle, largest = median(errors), max(errors)
    return f"{plural(len(errors), 'trace')}: differences without sign: median {middle:.1%}, largest {largest:.1%}"


def to_json(replay: Replay) -> dict[str, Any]:
    """Returns the replay as JSON values."""
    recorded, predicted = replay.barrier_cycles()
    return {
        "trace": str(replay.trace.path),
        "operation": replay.trace.operation,
        "pace": replay.pace.value,
        "arch": replay.run.machine.arch,
        "board": replay.run.rows[0]["board"],
        "settings": dict(replay.run.machine.settings),
        "recorded_cycles": replay.trace.recorded_cycles,
        "predicted_cycles": replay.predicted_cycles,
        "recorded_barrier_cycles": recorded,
        "predicted_barrier_cycles": predicted,
        "waits": replay.waits(),
        "rows": replay.run.rows,
        "data_fault": replay.run.fault,
        "findings": [finding.values() for finding in replay.findings()],
        "events": [
            {
                "event": event.number,
                "type": event.type,
                "recorded": event.timestamp - replay.trace.first,
                "begin": begin,
                "end": end,
            }
            for event, (begin, end) in zip(replay.events, replay.run.flow_times, strict=True)
        ],
    }
