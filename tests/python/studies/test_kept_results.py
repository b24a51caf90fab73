"""Results kept in the repository, and the script that writes and checks them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from study_scripts import study_script

from nocbench.points.selection import select_points
from nocbench.published.accuracy_tables import compare_tables, not_here_yet
from nocbench.published.reference import read_reference
from nocbench.results.kept_results import (
    BESIDE_FILE,
    KEPT_FILE,
    digest,
    in_order,
    incomplete,
    kept_results_file,
    key_of_point,
    key_of_row,
    sample,
)
from nocbench.results.result_files import read_rows, to_frame, write_results

if TYPE_CHECKING:
    from types import ModuleType

    from nocbench.support.columns import Row

CHECKOUT = Path(__file__).resolve().parents[3]
OF_2025 = 1380  # published points of tests that exist since 2025


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return study_script("kept_results")


@pytest.fixture(scope="module")
def kept() -> list[Row]:
    return read_rows(CHECKOUT / KEPT_FILE)


@pytest.fixture
def elsewhere(script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Redirects the script's output to a temporary folder."""
    file = tmp_path / "results" / "full_tier.parquet"
    file.parent.mkdir()
    shutil.copy(CHECKOUT / BESIDE_FILE, file.parent)
    monkeypatch.setattr(script, "kept_results_file", lambda name=KEPT_FILE: file.with_name(Path(name).name))
    return file


def test_all_points_of_the_full_tier_are_kept(kept: list[Row]) -> None:
    assert kept_results_file() == CHECKOUT / KEPT_FILE
    assert incomplete(select_points([]), kept) == []
    assert all(row["data_ok"] for row in kept)
    revisions = {row["revision"] for row in kept}
    assert not any(revision.endswith("+") for revision in revisions)
    readme = (CHECKOUT / KEPT_FILE).with_name("README.md").read_text()
    assert digest(kept) in readme
    assert any(f"| revision of the rows that were run last | `{revision}` |" in readme for revision in revisions)


def test_all_points_that_the_pages_show_beside_are_kept(script: ModuleType, kept: list[Row]) -> None:
    beside = read_rows(CHECKOUT / BESIDE_FILE)
    points = script.points_beside()
    assert {key_of_row(row) for row in beside} == {key_of_point(point) for point in points}
    assert all(row["data_ok"] and not row["revision"].endswith("+") for row in beside)
    assert script.compare([("the full tier", kept)]) == 0
    chosen = [point for seed in "abcdef" for point in sample(points, beside, seed)]
    assert {point.arch for point in chosen} == {point.arch for point in points}
    assert {bool(point.settings) for point in chosen} == {True, False}


def test_every_published_point_is_kept(kept: list[Row]) -> None:
    reference = read_reference()
    tables = compare_tables(to_frame(kept), reference)
    assert sum(table.missing for table in tables) == 0
    absent = not_here_yet(reference, to_frame(kept))
    here = [key not in absent for key in zip(reference["arch"], reference["test"], strict=True)]
    assert sum(table.points for table in tables) == sum(here) >= OF_2025


def test_the_file_is_compact() -> None:
    assert (CHECKOUT / KEPT_FILE).stat().st_size < 1_000_000


def test_what_is_missing_or_of_another_run(kept: list[Row]) -> None:
    points = select_points([])
    other = kept[1] | {"params": "start=together"}
    assert in_order(points, [*kept[2:], *kept[:2]]) == kept
    missing, surplus = incomplete(points, [other, *kept[2:]])[0], incomplete(points, [*kept, other])[-1]
    assert missing == f"no result of {points[0].describe()}"
    assert surplus.startswith("not a point of the full tier: ")
    assert surplus.endswith(", start=together")
    moved = {**kept[0], "board": "p100a"}
    assert incomplete(points, [*kept, moved])[0].startswith("a point with results of two boards: ")


def test_the_sample_has_a_point_of_every_test(kept: list[Row]) -> None:
    points = select_points([])
    chosen = sample(points, kept, "a seed")
    assert chosen == sample(points, kept, "a seed")
    assert chosen != sample(points, kept, "another seed")
    tests = {(point.arch, point.test) for point in points}
    assert {(point.arch, point.test) for point in chosen} == tests
    assert len(chosen) == len(tests)


def test_keeping_and_comparing(
    script: ModuleType, kept: list[Row], elsewhere: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_one_run = [row | {"revision": "0123456789ab"} for row in kept]
    write_results(of_one_run, tmp_path / "full.csv")
    assert script.keep([tmp_path / "full.csv"]) == 0
    assert read_rows(elsewhere) == of_one_run
    assert digest(kept) in capsys.readouterr().err
    again = [row | {"revision": "fedcba987654"} for row in kept[:50]]
    assert script.compare([("this run", again)]) == 0
    assert "50 rows, run again, are equal" in capsys.readouterr().err

    write_results(again, tmp_path / "some.csv")
    assert script.keep([tmp_path / "some.csv"], with_kept=True) == 0
    assert sorted(row["revision"] for row in read_rows(elsewhere))[-51:] == ["0123456789ab"] + ["fedcba987654"] * 50
    assert digest(read_rows(elsewhere)) == digest(kept)
    assert "| `fedcba987654` |" in elsewhere.with_name("README.md").read_text()
    capsys.readouterr()

    slower = again[0] | {"latency_cycles": again[0]["latency_cycles"] + 1}
    assert script.compare([("this run", [slower, *again[1:]])]) == 1
    message = capsys.readouterr().err
    assert f"{elsewhere} and this run have different values of {slower['test']}" in message
    assert "error: the results kept in plots/results/full_tier.parquet are not those of this model" in message


def test_keeping_those_beside(script: ModuleType, elsewhere: Path, tmp_path: Path) -> None:
    of_one_run = [row | {"revision": "0123456789ab"} for row in read_rows(CHECKOUT / BESIDE_FILE)]
    write_results(of_one_run, tmp_path / "beside.csv")
    assert script.keep_beside([tmp_path / "beside.csv"]) == 0
    assert read_rows(elsewhere.with_name("beside_full_tier.parquet")) == of_one_run
    write_results(of_one_run[1:], tmp_path / "beside.csv")
    with pytest.raises(script.InputError, match="no result of All to All Packet Sizes on blackhole"):
        script.keep_beside([tmp_path / "beside.csv"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"revision": "0123456789ab+"}, "0123456789ab+: expected a committed revision"),
        ({"data_ok": False}, "wrong data"),
        ({"params": "noc=1"}, "not a point of the full tier"),
    ],
)
def test_what_is_not_kept(
    script: ModuleType, kept: list[Row], elsewhere: Path, tmp_path: Path, change: Row, message: str
) -> None:
    of_one_run = [row | {"revision": "0123456789ab"} for row in kept]
    write_results([of_one_run[0] | change, *of_one_run[1:]], tmp_path / "full.csv")
    with pytest.raises(script.InputError, match=message.replace("+", r"\+")):
        script.keep([tmp_path / "full.csv"])
    assert not elsewhere.exists()


def test_a_change_of_the_model_is_found(
    script: ModuleType,
    kept: list[Row],
    elsewhere: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    changed = [row | {"latency_cycles": row["latency_cycles"] * 1.001} for row in kept]
    write_results(changed, elsewhere)
    elsewhere.with_name("README.md").write_text(digest(changed))
    points = select_points(["One to One Packet Sizes"])
    monkeypatch.setattr(script, "select_points", lambda _: points)
    monkeypatch.setattr(script, "incomplete", lambda *_: [])
    assert script.run_sample("a seed", 0) == 1
    assert "have different values of One to One Packet Sizes, Sender" in capsys.readouterr().err
