"""Reports on a search, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.support.units import plural
from nocbench.support.wording import cycles as in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nocbench.optimising.optimisation import Candidate, Optimisation

CANDIDATE_COLUMNS = ("table", "fast cycles", "cycles", "change")
GROUP_COLUMNS = ("flows", "cycles before", "after", "limiter before", "after")
WAIT_COLUMNS = ("cause", "cycles before", "share", "after", "share", "difference")


def summary(found: Optimisation, aspects: Sequence[str]) -> str:
    """Returns a line on the extent of the search."""
    table = found.start.table
    impossible = f" ({found.num_impossible} of them could not run)" if found.num_impossible else ""
    return (
        f"{table.name} on {found.machine.arch} ({found.start.exact.board}): {plural(len(table.flows), 'flow')}, "
        f"{' and '.join(aspects)} varied: {plural(found.num_runs, 'table')} ran fast{impossible}, "
        f"{1 + len(found.finalists)} exactly; seed {found.seed}"
    )


def candidate_cells(found: Optimisation) -> list[Sequence[object]]:
    """Returns a table row for the start and for each finalist: see :data:`CANDIDATE_COLUMNS`."""
    return [_cells(found, candidate) for candidate in (found.start, *found.finalists)]


def _cells(found: Optimisation, candidate: Candidate) -> Sequence[object]:
    exact = candidate.exact
    fast = "" if candidate.fast_cycles is None else f"{candidate.fast_cycles:.10g}"
    if exact.score is None or exact.fault:
        return candidate.name, fast, "", exact.fault
    return candidate.name, fast, f"{exact.cycles:.10g}", "" if candidate is found.start else _change(found, candidate)


def _change(found: Optimisation, candidate: Candidate) -> str:
    return f"{100 * (candidate.exact.cycles / found.start.exact.cycles - 1):+.1f} %"


def conclusion(found: Optimisation) -> Iterator[str]:
    """Yields lines on the gain and the changes that achieve it."""
    if not found.finalists:
        yield "no other table was found: the start stays"
    elif found.best is found.start:
        yield "no finalist takes fewer cycles than the start when it runs exactly: the start stays"
    else:
        yield (
            f"{found.best.name} is the best: {in_words(found.best.exact.cycles)} cycles instead of "
            f"{in_words(found.start.exact.cycles)} ({_change(found, found.best)})"
        )
        yield from (f"  {change}" for change in found.best.changes)


def group_cells(found: Optimisation) -> list[Sequence[object]]:
    """Returns a table row per group of flows, before and after: see :data:`GROUP_COLUMNS`."""
    cells: list[Sequence[object]] = []
    for name, (cycles, limiter) in found.start.exact.groups.items():
        cycles_after, limiter_after = found.best.exact.groups[name]
        cells.append((name, f"{cycles:.10g}", f"{cycles_after:.10g}", limiter, limiter_after))
    return cells


def wait_cells(found: Optimisation) -> list[Sequence[object]]:
    """Returns a table row per cause of waits, summed over all RISCs, before and after: see :data:`WAIT_COLUMNS`."""
    before, after = found.start.exact.waits, found.best.exact.waits
    causes = sorted({*before, *after}, key=lambda cause: (-max(before.get(cause, 0), after.get(cause, 0)), cause))
    sums = sum(before.values()), sum(after.values())
    cells: list[Sequence[object]] = []
    for cause in causes:
        both = before.get(cause, 0.0), after.get(cause, 0.0)
        cells.append((cause, *_wait_cells(both, sums)))
    cells.append(("all", *_wait_cells(sums, sums)))
    return cells


def _wait_cells(both: tuple[float, float], sums: tuple[float, float]) -> list[str]:
    shown: list[str] = []
    for cycles, whole in zip(both, sums, strict=True):
        shown += [f"{cycles:.0f}", f"{100 * cycles / whole if whole else 0:.1f} %"]
    return [*shown, f"{both[1] - both[0]:+.0f}"]


def origin(found: Optimisation, aspects: Sequence[str]) -> list[str]:
    """Returns comment lines for the file of the best table, on its origin."""
    changed = [f"{name}={value}" for name, value in found.machine.settings]
    where = " ".join([found.machine.arch, f"({found.start.exact.board})", *changed])
    how = f"{' and '.join(aspects)} varied, seed {found.seed}"
    return [f"Made from {found.start.table.path.name} by nocbench optimise for {where}: {how}", *conclusion(found)]


def to_json(found: Optimisation, aspects: Sequence[str]) -> dict[str, Any]:
    """Returns the search as JSON values."""
    return {
        "table": str(found.start.table.path),
        "arch": found.machine.arch,
        "board": found.start.exact.board,
        "vary": list(aspects),
        "seed": found.seed,
        "runs": found.num_runs,
        "impossible": found.num_impossible,
        "best": found.best.name,
        "candidates": [
            {
                "name": candidate.name,
                "fast_cycles": candidate.fast_cycles,
                "cycles": None if candidate.exact.score is None else candidate.exact.cycles,
                "changes": list(candidate.changes),
                "fault": candidate.exact.fault,
                "flows": {
                    group: {"cycles": cycles, "limiter": limiter}
                    for group, (cycles, limiter) in candidate.exact.groups.items()
                },
                "waits": candidate.exact.waits,
            }
            for candidate in (found.start, *found.finalists)
        ],
    }
