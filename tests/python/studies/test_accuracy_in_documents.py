"""Documents state exactly the accuracy of the kept results."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from study_scripts import study_script

from nocbench.published.accuracy_summary import accuracy_summary

if TYPE_CHECKING:
    from types import ModuleType

    from nocbench.published.accuracy_tables import ComparedTable

CHECKOUT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return study_script("accuracy_in_documents")


@pytest.fixture(scope="module")
def tables(script: ModuleType) -> list[ComparedTable]:
    return script.compared()  # type: ignore[no-any-return]


def test_documents_and_kept_results_agree(script: ModuleType, tables: list[ComparedTable]) -> None:
    assert not script.stale_documents(tables), "run scripts/studies/accuracy_in_documents.py write"


def test_the_documents_that_people_begin_with_state_it(script: ModuleType, tables: list[ComparedTable]) -> None:
    total = accuracy_summary(tables).total
    for document in (CHECKOUT / "README.md", CHECKOUT / "docs" / "results.md"):
        assert document in script.documents()
    readme = " ".join((CHECKOUT / "README.md").read_text().split())
    assert f"{total.points:,} published measurements" in readme
    assert f"half of these measurements within {total.median_percent:.1f} %" in readme


def test_each_family_states_its_own(script: ModuleType, tables: list[ComparedTable]) -> None:
    families = {family.family for family in accuracy_summary(tables).families}
    assert families
    stating = {
        document.parent.name
        for document in script.documents()
        if f"<!-- accuracy: of {document.parent.name} -->" in document.read_text()
    }
    assert stating >= families


def test_another_figure_is_noticed(script: ModuleType, tables: list[ComparedTable], tmp_path: Path) -> None:
    text = (CHECKOUT / "README.md").read_text()
    assert text == script.with_figures(CHECKOUT / "README.md", tables)
    changed = CHECKOUT / "README.md"
    document = tmp_path / "README.md"
    document.write_text(re.sub(r"half of these( measurements)? within [\d.]+", r"half of these\1 within 0.5", text))
    assert document.read_text() != text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(script, "CHECKOUT", tmp_path)
        assert script.with_figures(document, tables) == text
    assert changed.read_text() == text
