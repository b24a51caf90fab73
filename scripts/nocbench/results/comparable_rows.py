"""Refuses to compare rows that are not comparable.

Rows of points that were simulated packet by packet are not exact, and kernels made by two compilers differ in cycles.
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
    """True if a row's point was simulated packet by packet."""
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
    """Returns the compiler of a row's kernels: "gcc-12.2.0".

    Empty for native kernels, and for rows from before rows named the compiler.
    """
    return changed_values(str(row.get("params", ""))).get(COMPILER, "")


def two_compilers(sources: Iterable[tuple[Path | str, Iterable[Row]]]) -> str:
    """Describes a test with rows from two compilers' kernels among several sources; empty if there is none.

    Rows without a revision were measured on hardware, and compare with any compiler's.

    Args:
        sources: rows, with their file or words for it.
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
    """Raises NotComparableError with the sentence of :func:`two_compilers`, if there is one."""
    if sentence := two_compilers(sources):
        raise NotComparableError(sentence)


def _remedy(compilers: Collection[str]) -> str:
    if "" in compilers:
        return "run the points whose rows do not name the compiler again with this revision"
    return "run one of them again with the compiler of the other, which --cc names; without --cc it is the pinned one"
