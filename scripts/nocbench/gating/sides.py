"""Results files as sides of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.gating.judgement import Results
from nocbench.gating.verdicts import Side
from nocbench.published.alignment import as_results
from nocbench.results.comparable_rows import require_exact
from nocbench.results.result_files import frame_of, read_points, rows_of
from nocbench.results.selected_rows import arch_and_test, selected_tests
from nocbench.support.errors import NocbenchError
from nocbench.support.extras import require_extra

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nocbench.support.columns import Row


class MissingBaselineError(NocbenchError):
    """Incomplete evidence: the baseline does not exist."""


def read_sides(
    base: Path,
    head: Path,
    *,
    patterns: Sequence[str] = (),
    architectures: Sequence[str] = (),
    may_be_fast: bool = False,
) -> tuple[Results, Results]:
    """Returns the chosen rows of two files of results or published measurements.

    Args:
        base: file of the reference side.
        head: file of the side to judge.
        patterns: names or globs of tests; empty: all tests.
        architectures: names of architectures; empty: all architectures.
        may_be_fast: True to accept points that were simulated packet by packet.

    Raises:
        MissingBaselineError: the file `base` does not exist.
        InputError: a file that cannot be read.
        NotComparableError: a file with points that were simulated packet by packet, unless accepted.
        NothingMatchedError: a pattern or an architecture that matches neither side.
    """
    if not base.exists():
        import shlex

        command = shlex.join(["nocbench", "accept", str(head), "--baseline", str(base)])
        raise MissingBaselineError(f"{base}: there is no baseline; '{command} --reason TEXT' records one")
    sides = {"base": read_points(base), "head": read_points(head)}
    if not may_be_fast:
        require_exact(base, sides["base"])
        require_exact(head, sides["head"])
    # Bring measured values to the columns of the other side.
    if _are_measured(sides["head"]):
        sides["head"] = _aligned(head, sides["head"], sides["base"])
    elif _are_measured(sides["base"]):
        sides["base"] = _aligned(base, sides["base"], sides["head"])
    chosen = selected_tests(map(arch_and_test, (*sides["base"], *sides["head"])), architectures, patterns)
    results = []
    for (label, rows), path in zip(sides.items(), (base, head), strict=True):
        are_measured = _are_measured(rows)
        revision = "" if are_measured else ", ".join(sorted({str(row["revision"]) for row in rows}))
        side = Side(label, str(path), revision=revision, is_measured=are_measured)
        results.append(Results(side, [row for row in rows if arch_and_test(row) in chosen]))
    return results[0], results[1]


def _are_measured(rows: Sequence[Row]) -> bool:
    """Returns True for rows measured on hardware: only those of nocbench have a revision."""
    return "revision" not in rows[0]


def _aligned(path: Path, measured: Sequence[Row], results: Sequence[Row]) -> list[Row]:
    require_extra("pandas", f"{path}, which holds measurements,")
    return rows_of(as_results(frame_of(measured), frame_of(results)))
