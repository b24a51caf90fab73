from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench.gating.model_changes import changed_architectures, changed_constants

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("fake_simulator")


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    """Writes two folders with one common architecture, and one different architecture each."""
    base, head = tmp_path / "base", tmp_path / "head"
    for folder, hop_cycles, other in ((base, 9, "old"), (head, 10, "new")):
        folder.mkdir()
        (folder / "both.yaml").write_text(
            f"kind: k\nrouter:\n  hop_cycles:\n    value: {hop_cycles}\n    unit: cycles\n"
        )
        (folder / f"{other}.yaml").write_text("kind: k\n")
    return base, head


def test_constants_of_architectures_that_both_have(sides: tuple[Path, Path]) -> None:
    assert changed_constants(*sides) == ["both: router.hop_cycles: 9 -> 10"]


def test_architectures_that_one_has(sides: tuple[Path, Path]) -> None:
    assert changed_architectures(*sides) == ["the architecture new is new", "the architecture old is no longer there"]
