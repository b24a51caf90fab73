"""Published figures that are no points of a test: cells and numbers in documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.published import latch_unit, published_cells, shmem_numbers

if TYPE_CHECKING:
    import pandas

    from nocbench.published.accuracy_tables import ComparedTable


def published_tests() -> set[tuple[str, str]]:
    """Returns the (arch, test) with figures in documents."""
    return published_cells.published_tests() | shmem_numbers.published_tests() | latch_unit.published_tests()


def compared_documents(results: pandas.DataFrame) -> list[ComparedTable]:
    """Returns the comparison of results with documents: an entry for each table with a test in the results."""
    return [
        *published_cells.compared_transfer_speeds(results),
        *shmem_numbers.compared_numbers(results),
        *latch_unit.compared_cycles(results),
    ]
