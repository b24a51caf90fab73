from __future__ import annotations

import math
import re
import signal
import subprocess
import sys
import time

import pytest

from nocbench.support import progress
from nocbench.support.progress import ProgressReport, format_duration


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replaces the clock by a list whose only item is the current time."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_without_a_terminal_there_is_a_line_now_and_then(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with ProgressReport("running 1000 points", "points", 1000) as report:
        for second in range(1, 101):
            clock[0] += 1
            report.update(5 * second if second <= 50 else 250 + 15 * (second - 50))
    assert capsys.readouterr().err.splitlines() == [
        "running 1000 points",
        "150 of 1000 points, 5 per second, about 3 min left",
        "400 of 1000 points, 8.33 per second, about 72 s left",
        "850 of 1000 points, 15 per second, about 10 s left",
        "1000 of 1000 points in 100.0 s",
    ]


def test_the_time_left_follows_the_work_where_that_is_known(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with ProgressReport("running 1000 points", "points", 1000) as report:
        for number, ratio in ((10, math.inf), (100, 0.5), (1000, 0.0)):
            clock[0] += 40
            report.update(number, lambda: ratio)  # noqa: B023 - called at once
    assert capsys.readouterr().err.splitlines()[1:3] == [
        "10 of 1000 points, 0.25 per second",
        "100 of 1000 points, 2.25 per second, about 40 s left",
    ]


def test_short_runs_make_no_noise(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressReport("running 100 points", "points", 100) as report:
        for number in range(1, 101):
            clock[0] += 0.29
            report.update(number)
    assert capsys.readouterr().err.splitlines() == ["running 100 points", "100 of 100 points in 29.0 s"]


def test_a_terminal_gets_a_bar_with_rate_and_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_SHOW_BAR_AFTER_SECONDS", 0.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with ProgressReport("running 100 points", "points", 100) as report:
        for number in (1, 20, 50):
            report.update(number)
            time.sleep(0.05)
        assert report._bar is not None
        report._bar[0].refresh()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    assert re.search(r"50/100 points [\d.e+]+/s about \d+ s left", text)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (99, "99 s"), (100, "2 min"), (5940, "99 min"), (6000, "1 h 40 min")]
)
def test_durations(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_a_long_wait_says_first_and_then_how_long_it_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_LINE_EVERY_SECONDS", 0.05)
    with progress.long_wait("a table", 7200.0):
        time.sleep(0.4)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "simulating a table: about 2 h 0 min"
    assert lines[1] == "simulating a table for 0 s, about 2 h 0 min in all"
    assert len(lines) > 2


def test_a_short_wait_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for seconds in (None, 1.0):
        with progress.long_wait("a table", seconds):
            pass
    assert capsys.readouterr().err == ""


def test_an_interrupt_ends_a_long_wait() -> None:
    """A call into the simulator does not run Python's signal handlers."""
    program = (
        "import os, signal\n"
        "from nocbench.support.progress import long_wait\n"
        "with long_wait('it', None):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('goes on')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGINT, "")
