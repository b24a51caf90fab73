"""The study that plants races: its changes, its explanations, and single outcomes."""

from __future__ import annotations

from pathlib import Path

import pytest
from study_scripts import study_script

planted_races = study_script("planted_races")

SOURCE = """
void kernel_main() {
    // noc_async_read_barrier();
    do {
        noc_async_read(a, b, 4);
        noc_async_read_barrier();
    } while (*b < 2);
    cb_wait_front(0,
                  1);
    if (x) { send(); } else { skip(); }
    noc_async_write_barrier();
    noc.async_writes_flushed<NocOptions::TXN_ID>(i + 1);
#if LAST
    noc_async_write_barrier();
#endif
}
"""


def test_each_call_is_changed_in_each_way() -> None:
    changes = list(planted_races.changes_of("some.cpp", SOURCE))
    assert [(change.call, change.kind) for change in changes] == [
        ("noc_async_read_barrier()", "removed"),
        ("noc_async_read_barrier()", "delayed"),  # the last of its block: there is nothing to move it behind
        ("cb_wait_front(0, 1)", "removed"),
        ("cb_wait_front(0, 1)", "delayed"),
        ("cb_wait_front(0, 1)", "moved"),
        ("noc_async_write_barrier()", "removed"),
        ("noc_async_write_barrier()", "delayed"),
        ("noc_async_write_barrier()", "moved"),
        ("noc.async_writes_flushed<NocOptions::TXN_ID>(i + 1)", "removed"),
        ("noc.async_writes_flushed<NocOptions::TXN_ID>(i + 1)", "delayed"),
        ("noc_async_write_barrier() #2", "removed"),
        ("noc_async_write_barrier() #2", "delayed"),
    ]
    moved = next(change.text for change in changes if change.kind == "moved")
    assert "{ skip(); } cb_wait_front(0," in moved
    assert moved.count("cb_wait_front") == 1


def test_each_explanation_is_of_a_change() -> None:
    files = {file for file, _, _ in planted_races.read_explanations()}
    known = {
        change.key for file in files for change in planted_races.changes_of(file, planted_races.text_of(Path(file)))
    }
    assert known >= planted_races.read_explanations().keys()


@pytest.mark.parametrize("kind", ["removed", "delayed"])
def test_a_planted_race_is_found(kind: str) -> None:
    file = "examples/races/kernels/source_reused.cpp"
    program = planted_races.Program("examples/races/source_reused.yaml", (("mended", "1"),))
    usual = planted_races.usual_of_program("blackhole", program)
    assert not usual.findings
    changes = planted_races.changes_of(file, planted_races.text_of(Path(file)))
    change = next(change for change in changes if change.kind == kind)
    outcome = planted_races.outcome_of("blackhole", [usual], change)
    assert (outcome.kind, outcome.detail.partition(" x ")[0]) == ("racecheck", "source_of_write source_reused.cpp:8")
