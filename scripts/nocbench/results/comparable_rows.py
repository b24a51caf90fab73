"""Which rows must not stand beside each other.

Those of points that were simulated packet by packet are no exact ones, and kernels that two compilers made do not take
the same cycles.
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
    """Whether a row is of a point that was simulated packet by packet."""
    return changed_values(str(row.get("params", ""))).get(ACCURACY) == FAST


def require_exact(path: Path, rows: Iterable[Row]) -> None:
    """Raises NotComparableError, with the first such row, if rows of a file are of such points."""
    fast = next((row for row in rows if is_fast(row)), None)
    if fast is not None:
        raise NotComparableError(
            f"{path}: expected exact results, found those of --accuracy fast, the first of {point_in_words(fast)}; run "
            "its points again without --accuracy; 'nocbench compare' puts fast and exact results side by side"
        )


def compiler_of(row: Row) -> str:
    """What made the kernels of a row: "gcc-12.2.0".

    Empty for native kernels, and for rows from before rows named the compiler.
    """
    return changed_values(str(row.get("params", ""))).get(COMPILER, "")


def two_compilers(sources: Iterable[tuple[Path | str, Iterable[Row]]]) -> str:
    """A sentence that says of which test several sources have rows of two compilers' kernels; empty if of none.

    Rows without a revision were measured on hardware, and stand beside those of any compiler.

    Args:
        sources: rows, with the file that they are from or words for it.
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
