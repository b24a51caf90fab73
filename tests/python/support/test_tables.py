from __future__ import annotations

import io

import pytest

from nocbench.support.tables import print_table

ROWS = [
    [["12", "word", None], ["1,345.5", "", "5 %"], [7, "[bold]two words", "12.5 %"]],
    [["a", 1, 2.5]],
    [],
]


@pytest.mark.parametrize("rows", ROWS)
def test_without_a_terminal_the_library_is_not_needed(rows: list[list[object]]) -> None:
    """A heading that is not in ASCII has the library measure it: else both ways give the same."""
    columns = ["cycles", "a long heading", "of maximum"]
    plain, by_library = io.StringIO(), io.StringIO()
    print_table(columns, rows, file=plain)
    print_table(["cyclés", *columns[1:]], rows, file=by_library)
    assert plain.getvalue() == by_library.getvalue().replace("é", "e")
