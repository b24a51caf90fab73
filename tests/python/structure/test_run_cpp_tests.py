"""C++ tests in several processes: a process that does not finish counts as a failure."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[2] / "run_cpp_tests.sh"

# Fake gtest binary with five tests; OUTCOME is the outcome of the first test.
BINARY = """#!/usr/bin/env bash
if [[ ${1:-} == --gtest_list_tests ]]; then
    printf '%s\\n' Suite. '  A' '  B' '  DISABLED_C' 'Kinds/Suite.' '  D/0  # GetParam() = 1' '  D/1' '  E' \\
        DISABLED_Suite. '  F'
    exit
fi
mine=() failed=0
for test in 0 1 2 3 4; do
    if ((test % GTEST_TOTAL_SHARDS == GTEST_SHARD_INDEX)); then mine+=("$test"); fi
done
for test in "${mine[@]}"; do
    if ((test == 0)); then
        case $OUTCOME in
            fails) failed=1 ;;
            crashes) kill -SEGV $$ ;;
            exits) exit 0 ;;
            is_left_out) mine=("${mine[@]:1}") ;;
        esac
    fi
done
echo "[==========] ${#mine[@]} tests from 2 test suites ran. (1 ms total)"
echo "[  PASSED  ] $((${#mine[@]} - failed)) tests."
if ((failed)); then
    printf '%s\\n' '[  FAILED  ] 1 test, listed below:' '[  FAILED  ] Suite.A'
    exit 1
fi
"""


@pytest.mark.parametrize(
    ("outcome", "status", "totals"),
    [
        ("passes", 0, "5 tests: 5 passed, 0 failed, 0 skipped, 0 not run; 0 of {} processes failed"),
        ("fails", 1, "5 tests: 4 passed, 1 failed, 0 skipped, 0 not run; 1 of {} processes failed"),
        ("crashes", 1, "5 tests: {} passed, 0 failed, 0 skipped, {} not run; 1 of {} processes failed"),
        ("exits", 1, "5 tests: {} passed, 0 failed, 0 skipped, {} not run; 1 of {} processes failed"),
        ("is_left_out", 1, "5 tests: 4 passed, 0 failed, 0 skipped, 1 not run; {} of {} processes failed"),
    ],
)
def test_totals(tmp_path: Path, outcome: str, status: int, totals: str) -> None:
    binary = tmp_path / "tests"
    binary.write_text(BINARY)
    binary.chmod(0o755)
    finished = subprocess.run(
        [RUN, binary], env=os.environ | {"OUTCOME": outcome}, capture_output=True, text=True, check=False
    )
    assert finished.returncode == status, finished.stdout + finished.stderr
    last = finished.stdout.splitlines()[-1]
    words, expected = last.split(), totals.split()
    assert len(words) == len(expected), last
    assert all(want in ("{}", word) for word, want in zip(words, expected, strict=True)), last
    assert ("FAILED" in finished.stdout) == (words[-5] != "0")


def test_no_tests(tmp_path: Path) -> None:
    binary = tmp_path / "tests"
    binary.write_text("#!/bin/sh\n")
    binary.chmod(0o755)
    finished = subprocess.run([RUN, binary], capture_output=True, text=True, check=False)
    assert (finished.returncode, finished.stderr) == (1, f"run_cpp_tests: no tests in {binary}\n")
