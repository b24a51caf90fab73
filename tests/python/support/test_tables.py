from __future__ import annotations

import io
import re

import pytest

from nocbench.support.tables import print_table

ROWS = [
    [["12", "word", None], ["1,345.5", "", "5 %"], [7, "[bold]two words", "12.5 %"]],
    [["a", 1, 2.5]],
    [],
]


@pytest.mark.parametrize("rows", ROWS)
def test_without_a_terminal_the_library_is_not_needed(rows: list[list[object]]) -> None:
    """A non-ASCII heading makes print_table use the library for measuring; otherwise both ways give equal output."""
    columns = ["cycles", "a long heading", "of maximum"]
    plain, by_library = io.StringIO(), io.StringIO()
    print_table(columns, rows, file=plain)
    print_table(["cyclés", *columns[1:]], rows, file=by_library)
    assert plain.getvalue() == by_library.getvalue().replace("é", "e")


class Terminal(io.StringIO):
    """Captures output, and claims to be a terminal."""

    def isatty(self) -> bool:
        return True


RUN = ["arch", "test", "kernel", "params", "transactions", "size", "cycles", "B/cycle", "of maximum", "limiter"]
SUMMARY = [*RUN[:4], "points", "least cycles", "best B/cycle", "of maximum", "at", "limiter there"]
TEST = "One to All Multicast Linked Semaphore 2x2 Packet Sizes without Loopback"


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (RUN, ["wormhole_b0", TEST, "Receiver", "noc=0;vcs=4", 256, "64 KiB", 15197.5, 31.14, "97 %", "reservation"]),
        (SUMMARY, ["wormhole_b0", TEST, "Receiver", "", 60, 15197.5, 31.14, "97 %", "256 x 64 KiB", "reservation"]),
        (RUN[1:], [TEST, "Receiver", "router.hop_cycles=9", 1, "64 B", 359, 0.18, "0 %", "issue"]),
        (["test", "points"], [TEST, 60]),
    ],
)
@pytest.mark.parametrize("width", [80, 100, 200])
def test_words_stay_whole_on_a_terminal(
    columns: list[str], row: list[object], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    terminal = Terminal()
    print_table(columns, [row, row], title="a title", file=terminal)
    lines = re.sub(r"\x1b\[\d*m", "", terminal.getvalue()).splitlines()
    assert max(map(len, lines)) <= width
    words = {word for cell in (*columns, *row, "a title") for word in str(cell).split()}
    assert {word for line in lines for word in line.split()} == words


def test_rows_stand_under_what_they_have_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    terminal = Terminal()
    rows = [["wormhole_b0", "Sender", "transactions", cycles] for cycles in (1, 22)]
    print_table(["arch", "kernel", "a_parameter", "cycles"], [*rows, ["blackhole", "Sender", "x", 3]], file=terminal)
    lines = [" ".join(line.split()) for line in re.sub(r"\x1b\[\d*m", "", terminal.getvalue()).splitlines()]
    assert lines[:5] == ["arch kernel a_parameter", "wormhole_b0 Sender transactions", "cycles", "1", "22"]
    assert lines[5:] == ["blackhole Sender x", "cycles", "3"]
