"""Rows that determined constants, as named in architecture files, and errors for missing rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from study_scripts import study_script

from nocbench.architectures.files import architecture_names
from nocbench.points.constants import CALIBRATED, constants_in, entries_of, file_of, text_of
from nocbench.points.yaml_files import read_yaml
from nocbench.published.fitted_rows import (
    constants_of_points,
    constants_of_rows,
    how_earned,
    read_fitted_rows,
    read_table,
)
from nocbench.published.reference import read_reference
from nocbench.published.reference_files import default_reference_files, reference_names
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

SILICON = "tenstorrent_silicon_2025_07.csv"
SILICON_2026 = "tenstorrent_silicon_2026_08.csv"
CHIPS = ("wormhole_b0", "blackhole")
A_VALUE = "a value of this column in a row of wormhole_b0"


def named_points(arch: str) -> dict[str, set[tuple[str, str, int, int]]]:
    """Returns the points named by each constant: test, kernel, transactions, size."""
    points: dict[str, set[tuple[str, str, int, int]]] = {}
    for selection in read_fitted_rows(file_of(arch)):
        if selection.reference in (SILICON, SILICON_2026):
            rows = [read_table(selection.reference)[number] for number in selection.rows]
            points.setdefault(selection.constant, set()).update(
                (
                    row["test"],
                    row["kernel"] or row["riscv"],
                    int(row["num_transactions"]),
                    int(row["transaction_size_bytes"]),
                )
                for row in rows
            )
    return points


@pytest.mark.parametrize("arch", architecture_names())
def test_rows_that_are_named_are_there(arch: str) -> None:
    assert read_fitted_rows(file_of(arch))


def not_repeatable(fit: ModuleType, arch: str) -> list[str]:
    """Returns the fitted and measured constants whose fit no script repeats, each with the reason."""
    root = read_yaml(fit.file_of(arch), "an architecture file")
    wrong = []
    for path, node in constants_in(root):
        if node["kind"] == "mapping" and text_of(entries_of(node)["status"]) in CALIBRATED:
            try:
                fit.command_of(arch, path)
            except InputError as error:
                wrong.append(str(error))
    return wrong


@pytest.mark.parametrize("arch", architecture_names())
def test_a_script_repeats_the_fit_of_each_constant(arch: str) -> None:
    assert not_repeatable(study_script("fit_constants"), arch) == []


def test_constants_that_no_script_fits_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fit = study_script("fit_constants")
    lines = file_of("openpiton").read_text().splitlines(keepends=True)
    first, second = [number for number, line in enumerate(lines) if line == "    status: documented\n"][:2]
    lines[first] = "    status: fitted\n    fitted_rows: []\n"
    lines[second] = "    status: measured\n    fitted_to: scripts/studies/fit_nothing.py\n"
    changed = tmp_path / "openpiton.yaml"
    changed.write_text("".join(lines))
    monkeypatch.setattr(fit, "file_of", lambda _: changed)
    without_rows, without_script = not_repeatable(fit, "openpiton")
    assert without_rows.endswith("expected fitted_rows of a table that this script knows, found none")
    assert without_script.endswith("expected a script that exists, found scripts/studies/fit_nothing.py")


@pytest.mark.parametrize("arch", CHIPS)
def test_stages_have_constants_of_the_file(arch: str) -> None:
    fit = study_script("fit_constants")
    names = [step.name for stage in fit.STAGES for step in stage if step.name in fit.STARTS[arch]]
    assert sorted(names) == sorted(fit.STARTS[arch])
    assert all(fit.find_constant(arch, name) for name in names)


@pytest.mark.parametrize("arch", CHIPS)
def test_launch_skew_names_the_points_that_it_is_chosen_by(arch: str) -> None:
    fit = study_script("fit_contention")
    points = {
        (fit.SKEWED_TEST, "Sender", count, size * fit.SKEWED_CORES[arch]) for count, size in fit.SKEWED_POINTS[arch]
    }
    skews = {path: rows for path, rows in named_points(arch).items() if path.endswith("launch_skew_cycles")}
    assert len(skews) == 3
    assert all(rows == points for rows in skews.values())


def test_whoever_measures_a_point_again_shows_nothing_new(tmp_path: Path) -> None:
    file = next(file for file in default_reference_files() if file.name == "tenstorrent_silicon_2025_07.csv")
    reference = read_reference([file])
    assert 0 < reference["is_fitted"].sum() < len(reference)
    again = reference.drop(columns="is_fitted")
    again["latency_cycles"] += 1
    again.to_csv(tmp_path / "again.csv", index=False)
    assert read_reference([tmp_path / "again.csv"])["is_fitted"].tolist() == reference["is_fitted"].tolist()
    # The rows are also found if the file has more columns.
    again.drop(columns="params").assign(mechanism="unicast").to_csv(tmp_path / "more.csv", index=False)
    more = read_reference([tmp_path / "more.csv"])
    assert set(more["params"]) == {"mechanism=unicast"}
    assert more["is_fitted"].tolist() == reference["is_fitted"].tolist()


def test_of_an_architecture_without_a_file_nothing_is_fitted() -> None:
    assert constants_of_points("unheard_of") == {}


def test_a_row_that_two_constants_name() -> None:
    constants = constants_of_points("wormhole_b0")["One to One Packet Sizes", "Sender", 1, 32, ""]
    assert {"niu.command_accept_cycles", "l1.write_latency_cycles"} <= set(constants)
    assert len(constants) == len(set(constants))
    cells = constants_of_rows("epiphany_iii", "transfer_speeds/parallella_2016_03.csv")
    assert [len(of_cell) for of_cell in cells].count(0) == 9
    assert how_earned(cells[5]) == "fitted to: `elink.dma_read_periods`, `elink.read_buffer_transactions`"
    assert how_earned(()) == "never seen"
    # Rows of other architectures do not count.
    assert not any(constants_of_rows("etherbone", SILICON))


def written(directory: Path, rows: str) -> Path:
    """Writes a file of Wormhole in which one constant names rows, from line 2 on."""
    path = directory / "wormhole_b0.yaml"
    path.write_text(f"router: {{hop_cycles: {{value: 9, fitted_rows:\n{rows}}}}}\n")
    return path


def conditions(where: str) -> str:
    """Returns text that selects rows of the chips' published tables by conditions."""
    return f"[{{reference: {SILICON}, where: {{{where}}}}}]"


def rows_named(directory: Path, where: str, reference: str = SILICON) -> list[dict[str, Any]]:
    (selection,) = read_fitted_rows(written(directory, f"[{{reference: {reference}, where: {where}}}]"))
    assert (selection.constant, selection.reference) == ("router.hop_cycles", reference)
    return [dict(read_table(reference)[number]) for number in selection.rows]


def test_conditions(tmp_path: Path) -> None:
    rows = rows_named(tmp_path, "{test: One from *, num_transactions: [4, 64], transaction_size_bytes: 8KiB..32768}")
    assert {row["arch"] for row in rows} == {"wormhole_b0"}
    assert {row["test"] for row in rows} == {"One from One Packet Sizes", "One from All Packet Sizes"}
    assert {row["num_transactions"] for row in rows} == {"4", "64"}
    assert {row["transaction_size_bytes"] for row in rows} == {"8192", "16384", "32768"}
    moved = [
        int(row["num_transactions"]) * int(row["transaction_size_bytes"])
        for row in rows_named(tmp_path, "{test: One to One*, moved_bytes: ..2MiB}")
    ]
    assert max(moved) == 2 * 1024**2
    assert len(moved) + len(rows_named(tmp_path, "{test: One to One*, moved_bytes: 2097153..}")) == 60
    channels = rows_named(tmp_path, "{operation: read, cores: 48, noc: 1}", "contended/wormhole_dram_channels.csv")
    assert [row["placement"] for row in channels] == ["careful", "random"]


def test_a_table_as_a_whole(tmp_path: Path) -> None:
    (selection,) = read_fitted_rows(
        written(tmp_path, "[{reference: contended/tenstorrent_silicon_start_together.csv}]")
    )
    rows = [read_table(selection.reference)[number] for number in selection.rows]
    assert {row["arch"] for row in rows} == {"wormhole_b0"}
    assert read_fitted_rows(written(tmp_path, "[]")) == []


@pytest.mark.parametrize(
    ("rows", "column", "key", "expected", "found"),
    [
        (
            "[{reference: silicon.csv}]",
            14,
            ".reference",
            f"a table below plots/reference ({', '.join(reference_names())})",
            "'silicon.csv'",
        ),
        (
            "[{reference: openshmem/paper_2016.csv}]",
            14,
            ".reference",
            "a table with rows of wormhole_b0",
            "'openshmem/paper_2016.csv'",
        ),
        ("[{where: {test: A}}]", 2, ".reference", "this key", "nothing"),
        (conditions("tests: A"), 55, ".where.tests", "a known key", "an unknown key; did you mean 'test'?"),
        (
            conditions("test: DRAM Packet Sizes"),
            61,
            ".where.test",
            A_VALUE,
            "'DRAM Packet Sizes'; did you mean 'DRAM Interleaved Packet Sizes'",
        ),
        (conditions("test: [One to One*, Two *]"), 75, ".where.test", A_VALUE, "'Two *'"),
        (
            conditions("num_transactions: 1..x"),
            73,
            ".where.num_transactions",
            "a number, a size such as 2MiB, or a range such as ..2MiB, 64.. or 64..256",
            "'1..x'",
        ),
        (conditions("num_transactions: 300.."), 73, ".where.num_transactions", A_VALUE, "'300..'"),
        (
            conditions("test: One to One*, kernel: Rec*"),
            2,
            "",
            f"conditions that a row of {SILICON} meets",
            "none that does",
        ),
        ("a table", 1, "", "a list", "'a table'"),
    ],
)
def test_rows_that_are_not_there(tmp_path: Path, rows: str, column: int, key: str, expected: str, found: str) -> None:
    path = written(tmp_path, rows)
    with pytest.raises(InputError) as error:
        read_fitted_rows(path)
    number, mistake = str(error.value).splitlines()
    assert number == f"1 mistake in {path}"
    # The message may continue with suggestions of similar names.
    assert mistake.startswith(
        f"{path}:2:{column}: router.hop_cycles.fitted_rows{key}: expected {expected}, found {found}"
    )


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, f"[{{reference: a.csv}},\n{{reference: {SILICON}, where: {{test: [A, B], kernel: C}}}}]")
    with pytest.raises(InputError) as error:
        read_fitted_rows(path)
    lines = str(error.value).splitlines()
    assert lines[0] == f"4 mistakes in {path}"
    assert [re.findall(r":(\d+):\d+: ", line)[0] for line in lines[1:]] == ["2", "3", "3", "3"]
