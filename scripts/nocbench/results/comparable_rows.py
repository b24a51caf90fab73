"""Checks that rows are comparable.

Rows of points that were simulated packet by packet are not exact, and kernels made by different compilers take
different cycles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.support.columns import ACCURACY, COMPILER, FAST, changed_values, point_in_words
from nocbench.support.errors import NotComparableError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from nocbench.support.columns import Row


def is_fast(row: Row) -> bool:
    """Returns True if a row's point was simulated packet by packet."""
    return changed_values(str(row.get("params", ""))).get(ACCURACY) == FAST


def require_exact(path: Path, rows: Iterable[Row]) -> None:
    """Raises NotComparableError, naming the first such row, if any point was simulated packet by packet."""
    fast = next((row for row in rows if is_fast(row)), None)
    if fast is not None:
        raise NotComparableError(
            f"{path}: expected exact results, found those of --accuracy fast, the first of {point_in_words(fast)}; run "
            "its points again without --accuracy; 'nocbench compare' puts fast and exact results side by side"
        )


def compiler_of(row: Row) -> str:
    """Returns the compiler of a row's kernels, "gcc-12.2.0"; empty for native kernels and if not recorded."""
    return changed_values(str(row.get("params", ""))).get(COMPILER, "")


def two_compilers(sources: Iterable[tuple[Path | str, Iterable[Row]]]) -> str:
    """Describes a test whose kernels were compiled by two compilers in several sources; empty without one.

    Ignores rows without a revision, which were measured on hardware.

    Args:
        sources: rows, each list with the path of its file, or with words for it.
    """
    found: dict[tuple[str, str], dict[str, Path | str]] = {}
    for where, rows in sources:
        for row in (row for row in rows if "revision" in row):
            found.setdefault((row["test"], row["arch"]), {}).setdefault(compiler_of(row), where)
    for (test, arch), compilers in found.items():
        if len(set(compilers.values())) > 1:
            made = [f"{compiler or 'an unknown compiler'} in {where}" for compiler, where in compilers.items()]
            return (
                f"kernels of {test} on {arch} were compiled by {' and by '.join(made)}, and do not take the same "
                f"cycles: {_remedy(compilers)}"
            )
    return ""


def require_one_compiler(sources: Iterable[tuple[Path | str, Iterable[Row]]]) -> None:
    """Raises NotComparableError if :func:`two_compilers` finds a test whose kernels two compilers compiled."""
    if sentence := two_compilers(sources):
        raise NotComparableError(sentence)


def _remedy(compilers: Collection[str]) -> str:
    if "" in compilers:
        return "run the points whose rows do not name the compiler again with this revision"
    return "run one of them again with the compiler of the other, which --cc names; without --cc it is the pinned one"
