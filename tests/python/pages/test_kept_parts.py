"""Sections, texts and pictures are kept, and made again where their rows or the code have changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pandas
import pytest
from published import make_results
from sample import make_reference

from nocbench.pages import kept_parts
from nocbench.pages.page_files import pages_of, write_pages
from nocbench.pages.sections import sections_of
from nocbench.running.engines.in_process import InProcess
from nocbench.support.kept_files import KeptFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from typing import Any

    from nocbench.running.engines.engine import Outcome

pytestmark = pytest.mark.usefixtures("fake_simulator", "published_tests")
CHANGED = "One to One Packet Sizes"


class CountingEngine(InProcess):
    """Engine that notes the pictures that it draws."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def run(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Generator[Outcome, None, None]:
        self.drawn += [task.picture.title for task in tasks]
        return super().run(function, tasks)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOCBENCH_NO_CACHE", raising=False)
    monkeypatch.setenv("NOCBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_parts, "_FILES", KeptFiles("page", 1, 2**28))


def few_results() -> pandas.DataFrame:
    results = make_results()
    return results[results["test"].isin([CHANGED, "One from One Packet Sizes", "Loopback Packet Sizes"])]


def write(results: pandas.DataFrame, directory: Path) -> tuple[list[str], dict[str, bytes]]:
    """Writes pages; returns titles of the drawn pictures, and all files."""
    engine = CountingEngine()
    write_pages(pages_of(sections_of(results, make_reference(few_results()))), directory, engine=engine)
    files = {
        str(path.relative_to(directory)): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()
    }
    return engine.drawn, files


def without_cache(results: pandas.DataFrame, directory: Path) -> dict[str, bytes]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOCBENCH_NO_CACHE", "1")
        return write(results, directory)[1]


def test_only_what_has_changed_is_drawn_again(tmp_path: Path) -> None:
    results = few_results()
    drawn, files = write(results, tmp_path / "first")
    assert len(drawn) == 3
    assert files == without_cache(results, tmp_path / "anew")
    assert write(results, tmp_path / "again") == ([], files)

    changed = results.assign(revision="another")
    assert write(changed, tmp_path / "revision") == ([], files)
    changed.loc[changed["test"] == CHANGED, "latency_cycles"] *= 2
    more = pandas.concat([changed.iloc[:1], changed]).drop_duplicates()  # rows of other tests may move
    drawn, files = write(more, tmp_path / "changed")
    assert drawn == [CHANGED]
    assert files == without_cache(more, tmp_path / "changed anew")


def test_changed_code_draws_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(few_results(), tmp_path / "first")
    monkeypatch.setattr(kept_parts, "_digest_of_code", lambda *_: "changed")
    assert len(write(few_results(), tmp_path / "changed")[0]) == 3


def test_damaged_files_are_made_again(tmp_path: Path) -> None:
    _, files = write(few_results(), tmp_path / "first")
    kept = list((tmp_path / "cache" / "pages").iterdir())
    assert len(kept) > 3
    for file in kept:
        file.write_bytes(file.read_bytes()[:-1])
    drawn, again = write(few_results(), tmp_path / "again")
    assert len(drawn) == 3
    assert again == files


def number_of_lines(file: Path) -> int:
    return len(file.read_text().splitlines())


def test_what_is_read_from_a_file_is_kept_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_parts, "_digest_of_code", lambda *_: "code")
    file = tmp_path / "rows.csv"
    for num_lines in (3, 4, 3):
        file.write_text("line\n" * num_lines)
        assert kept_parts.kept_value(number_of_lines, file, files=[file]) == num_lines
    before = set((tmp_path / "cache" / "pages").iterdir())
    assert len(before) == 2
    pipe = Path("/dev/null")
    assert kept_parts.kept_value(number_of_lines, pipe, files=[pipe]) == 0
    assert set((tmp_path / "cache" / "pages").iterdir()) == before
