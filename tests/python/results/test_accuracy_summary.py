"""All published latencies of silicon, by family of tests and in total."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas
import pytest
from sample import make_frame, make_reference, make_row

from nocbench.command_line import main
from nocbench.published.accuracy_summary import FamilyAccuracy, accuracy_summary, group_of
from nocbench.published.accuracy_tables import compared_tables
from nocbench.results.result_files import to_frame

if TYPE_CHECKING:
    from pathlib import Path


def of_latencies(*tests: tuple[str, str, str, tuple[float, ...]]) -> pandas.DataFrame:
    """Returns results of tests: architecture, test, primitive, and a latency for each point."""
    return to_frame(
        [
            make_row(arch=arch, test=test, primitive=primitive, num_transactions=1 + place, latency_cycles=latency)
            for arch, test, primitive, latencies in tests
            for place, latency in enumerate(latencies)
        ]
    )


def test_a_summary_by_hand() -> None:
    results = of_latencies(
        ("wormhole_b0", "All to All Packet Sizes", "all_to_all", (110.0, 80.0)),
        ("wormhole_b0", "One to One Packet Sizes", "one_to_one", (101.0, 97.0)),
        ("blackhole", "One to One Packet Sizes", "one_to_one", (100.0,)),
        ("openpiton", "Lone Packets", "synthetic", (100.0, 100.0)),  # not silicon
    )
    reference = make_reference(results)
    reference["latency_cycles"] = 100.0
    absent = reference.iloc[:1].assign(num_transactions=512)

    summary = accuracy_summary(compared_tables(results, pandas.concat([reference, absent])))
    # Errors of one family: 0, 1 and 3 %; of the other family: 10 and 20 %, with one point missing.
    nearest, farthest = summary.families
    assert nearest == FamilyAccuracy("one_to_one", 3, 0, 1.0, pytest.approx(2.6), 3.0, 2 / 3)  # type: ignore[arg-type]
    assert farthest == FamilyAccuracy("all_to_all", 2, 1, 15.0, 19.0, 20.0, 0.0)
    assert summary.total == FamilyAccuracy("", 5, 1, 3.0, 16.0, 20.0, 2 / 5)
    assert summary.num_architectures == 2
    assert [(group.family, group.points) for group in summary.groups] == [("uncontended", 5)]


@pytest.mark.parametrize(
    ("test", "num_cores", "group"),
    [
        ("One to One Packet Sizes", 1, "uncontended"),
        ("One to One Packet Sizes 2.0", 1, "API of 2026"),
        ("One to All Multicast Linked Semaphore 2x2 Packet Sizes with Loopback", 4, "multicast"),
        ("One to All Unicast 2x2 Packet Sizes without Loopback", 1, "uncontended"),
        ("DRAM Packet Sizes 2.0", 1, "DRAM"),
        ("Number of Pages Sweep for DRAM Closest Neighbour", 12, "many cores"),
        ("All to All Grid Sweep Packet Sizes 2.0", 64, "many cores"),
    ],
)
def test_groups(test: str, num_cores: int, group: str) -> None:
    results = to_frame([make_row(test=test, num_cores=num_cores), make_row(test=test, num_transactions=1)])
    (table,) = compared_tables(results, make_reference(results))
    assert group_of(table) == group
    assert [found.family for found in accuracy_summary([table]).groups] == [group]


def test_results_without_the_column_of_the_primitive() -> None:
    results = make_frame()
    reference = make_reference(results)
    bare = results[list(reference.columns)]
    assert accuracy_summary(compared_tables(bare, reference)) == accuracy_summary(compared_tables(results, reference))


def test_nothing_of_silicon() -> None:
    summary = accuracy_summary([])
    assert (summary.families, summary.total.points, summary.total.median_percent) == ((), 0, None)


def test_the_command_prints_the_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = make_frame()
    reference = make_reference(results)
    reference["latency_cycles"] *= 1.02
    files = [tmp_path / "results.csv", tmp_path / "reference.csv"]
    results.to_csv(files[0], index=False)
    reference.to_csv(files[1], index=False)
    for options in ([], ["--json"]):
        with pytest.raises(SystemExit):
            main(["accuracy", str(files[0]), "--reference", str(files[1]), *options])
    text, document = capsys.readouterr().out.split("\n{\n")
    total = json.loads("{" + document)["total"]
    assert total["points"] == len(reference)
    percents = [f"{total[f'{name}_percent']:.2f}" for name in ("median", "p90", "max")]
    assert text.splitlines()[-1].split() == ["all", str(len(reference)), "0", *percents, "0", "%"]
    for part in ("groups", "families"):
        (accuracy,) = json.loads("{" + document)[part]
        assert accuracy | {"family": ""} == total
