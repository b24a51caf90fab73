"""Results files as sides of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.gating.judgement import Results, results_of
from nocbench.gating.verdicts import Side
from nocbench.published.accuracy_tables import select_rows
from nocbench.published.alignment import as_results
from nocbench.results.comparable_rows import require_exact
from nocbench.results.result_files import read_results, rows_of
from nocbench.support.errors import NocbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas


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
    import pandas

    if not base.exists():
        import shlex

        command = shlex.join(["nocbench", "accept", str(head), "--baseline", str(base)])
        raise MissingBaselineError(f"{base}: there is no baseline; '{command} --reason TEXT' records one")
    frames = {"base": read_results(base), "head": read_results(head)}
    if not may_be_fast:
        require_exact(base, rows_of(frames["base"]))
        require_exact(head, rows_of(frames["head"]))
    # Bring measured values to the columns of the other side.
    if _is_measured(frames["head"]):
        frames["head"] = as_results(frames["head"], frames["base"])
    elif _is_measured(frames["base"]):
        frames["base"] = as_results(frames["base"], frames["head"])
    chosen = select_rows(pandas.concat(frames.values()), architectures, patterns)[["arch", "test"]].drop_duplicates()
    sides = []
    for (label, frame), path in zip(frames.items(), (base, head), strict=True):
        is_measured = _is_measured(frame)
        revision = "" if is_measured else ", ".join(sorted(set(frame["revision"])))
        side = Side(label, str(path), revision=revision, is_measured=is_measured)
        sides.append(results_of(side, frame.merge(chosen, on=["arch", "test"])))
    return sides[0], sides[1]


def _is_measured(frame: pandas.DataFrame) -> bool:
    """Returns True for rows measured on hardware: only those of nocbench have a revision."""
    return "revision" not in frame.columns
