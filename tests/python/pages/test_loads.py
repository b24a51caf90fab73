"""Tests that sweep parameters, and sections of latency against load."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sample import make_frame, make_reference, make_row

import nocbench
from nocbench.pages.load_curves import with_flits
from nocbench.pages.load_observations import best_load, load_table, observe_loads
from nocbench.pages.page_files import pages_of, write_pages
from nocbench.pages.plots import draw
from nocbench.pages.sections import sections_of
from nocbench.points.selection import select_points
from nocbench.results.result_files import to_frame

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    import pandas
    from conftest import CommandLine

    from nocbench.pages.sections import Section

TEST = "Synthetic Traffic"
AXES = {"pattern": ["uniform", "tornado"], "injection_rate": ["0.1", "0.2", "0.3", "saturation"]}
SATURATION = {"uniform": 0.25, "tornado": 0.15}  # flits per node and cycle


@pytest.fixture(autouse=True)
def load_test(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the fake simulator a test that sweeps pattern and rate."""
    monkeypatch.setattr(
        fake_simulator, "TESTS", {**fake_simulator.TESTS, TEST: (800, "synthetic", ["Source"])}, raising=True
    )
    quick = {"pattern": ["uniform"], "injection_rate": ["0.1"]}
    monkeypatch.setattr(fake_simulator, "SWEPT", {TEST: {"full": AXES, "quick": quick}})


def make_loads(sizes: tuple[int, ...] = (32, 1024), more_params: str = "", **changes: object) -> pandas.DataFrame:
    """Returns a sweep whose latency is the inverse of the remaining capacity."""
    rows = []
    for pattern in AXES["pattern"]:
        saturation = SATURATION[pattern]
        for rate in AXES["injection_rate"]:
            for size in sizes:
                without_load = 100 + size / 32
                offered = saturation if rate == "saturation" else float(rate)
                is_stable = offered < 1.5 * saturation
                accepted = min(offered, saturation)
                rows.append(
                    make_row(
                        test=TEST,
                        test_id=800,
                        primitive="synthetic",
                        kernel="Source",
                        num_transactions=50,
                        transaction_size_bytes=size,
                        call_size_bytes=size,
                        latency_cycles=without_load / (1 - offered / saturation / 1.5) if is_stable else 5000.0,
                        bandwidth_bytes_per_cycle=accepted * 32,
                        num_cores=72,
                        limiter="round_trip" if offered < saturation / 2 else "contention",
                        params=f"pattern={pattern};injection_rate={rate}{more_params}",
                    )
                    | changes
                )
    return to_frame(rows)


def section_of(results: pandas.DataFrame) -> Section:
    (section,) = sections_of(results, make_reference(make_frame()))["wormhole_b0"]
    return section


def test_swept_parameters_are_axes() -> None:
    points = select_points(["800"], architectures=["wormhole_b0"])
    assert len(points) == 2 * 4 * 3 * 4
    assert dict(points[0].parameters) == {
        "pattern": "uniform",
        "injection_rate": "0.1",
        "num_transactions": "1",
        "call_size": "32",
    }
    assert [dict(point.parameters)["injection_rate"] for point in points[::12]] == 2 * AXES["injection_rate"]
    assert len(select_points(["800"], architectures=["wormhole_b0"], tier="quick")) == 2
    (test,) = (test for test in nocbench.list_tests("wormhole_b0") if test.test == TEST)
    assert test.swept_parameters == ("pattern", "injection_rate")
    assert test.num_points("full") == 2 * 4 * 3 * 4


def test_swept_parameters_can_be_given() -> None:
    axes = {"injection_rate": "0.05,saturation", "num_transactions": "4", "call_size": "1KiB", "destination": "2,2"}
    points = select_points(["800"], architectures=["wormhole_b0"], axes=axes)
    assert [tuple(dict(point.parameters).values()) for point in points] == [
        ("2,2", pattern, rate, "4", "1024") for pattern in AXES["pattern"] for rate in ("0.05", "saturation")
    ]
    assert {point.relative_cost for point in points} == {4 * 1024}


def test_rows_name_the_values_of_what_is_swept(run_here: CommandLine) -> None:
    completed = run_here(
        *["run", "800", "--arch", "wormhole_b0", "-a", "num_transactions=1", "-a", "call_size=64", "-o", "-", "-j0"]
    )
    assert completed.status == 0
    for pattern in AXES["pattern"]:
        for rate in AXES["injection_rate"]:
            assert completed.out.count(f"pattern={pattern};injection_rate={rate}") == 1


def test_all_loads_are_one_section() -> None:
    section = section_of(make_loads())
    assert (section.title, section.params, section.picture) == (TEST, "", "latency_against_load")
    assert set(section.results["pattern"]) == set(AXES["pattern"])
    assert set(section.results["injection_rate"]) == set(AXES["injection_rate"])


def test_other_parameters_make_other_sections() -> None:
    import pandas

    results = pandas.concat([make_loads(), make_loads(more_params=";virtual_channels=2")], ignore_index=True)
    default, other = sections_of(results, make_reference(make_frame()))["wormhole_b0"]
    assert (default.variant, other.variant) == ("", "n150, virtual_channels=2")
    assert len(default.results) == len(other.results) == 16


def test_saturation_is_at_what_is_accepted() -> None:
    rows = with_flits(section_of(make_loads()))
    of_pattern = rows[(rows["pattern"] == "uniform") & (rows["transaction_size_bytes"] == 32)]
    assert of_pattern["offered_flits"].tolist() == [0.1, 0.2, 0.25, 0.3]
    assert of_pattern["accepted_flits"].tolist() == [0.1, 0.2, 0.25, 0.25]
    assert rows["pattern"].drop_duplicates().tolist() == AXES["pattern"]


def test_packets_that_do_not_fill_their_flits() -> None:
    rows = with_flits(section_of(make_loads(sizes=(48,))))
    assert rows["accepted_flits"].max() == pytest.approx(0.25 * 32 / 24)


def test_a_panel_for_each_size_and_a_line_for_each_pattern() -> None:
    figure = draw(section_of(make_loads()))
    assert [axes.get_title() for axes in figure.axes] == ["Packets of 1 flit (32 B)", "Packets of 32 flits (1 KiB)"]
    for axes in figure.axes:
        lines = [line for line in axes.get_lines() if line.get_linestyle() == "-"]
        crosses = [line for line in axes.get_lines() if line.get_marker() == "x"]
        assert len(lines) == len(crosses) == len(AXES["pattern"])
        assert [float(cross.get_xdata()[0]) for cross in crosses] == list(SATURATION.values())  # type: ignore[index, arg-type]
        assert axes.get_xlim()[1] == pytest.approx(0.3, rel=0.1)
        assert axes.get_ylim()[1] < 5000
    assert len(draw(section_of(make_loads(sizes=(32, 1024, 8192)))).axes) == 4
    assert len(draw(section_of(make_loads(sizes=(32,)))).axes) == 1


def make_loads_of_two_lengths() -> pandas.DataFrame:
    """Returns two sweeps. The longer one has higher latencies, as near saturation."""
    import pandas

    longer = make_loads().assign(num_transactions=200)
    longer["latency_cycles"] *= 2
    return pandas.concat([make_loads(), longer], ignore_index=True)


def test_a_line_joins_loads_of_one_length() -> None:
    figure = draw(section_of(make_loads_of_two_lengths()))
    for axes in figure.axes:
        lines = [line for line in axes.get_lines() if line.get_linestyle() != "None"]
        assert len(lines) == 2 * len(AXES["pattern"])
        for line in lines:
            offered, latencies = (list(map(float, data)) for data in (line.get_xdata(), line.get_ydata()))  # type: ignore[arg-type]
            assert offered == sorted(set(offered))
            assert latencies == sorted(latencies), "no line goes back"
        for longer, shorter in zip(lines[::2], lines[1::2], strict=True):
            assert longer.get_color() == shorter.get_color()
            assert (longer.get_linestyle(), shorter.get_linestyle()) == ("-", "--")
            first, half = (next(iter(map(float, line.get_ydata()))) for line in (longer, shorter))  # type: ignore[arg-type]
            assert first == 2 * half
    assert [text.get_text() for text in figure.legends[1].get_texts()][:2] == [
        "200 packets per node",
        "50 packets per node",
    ]


@pytest.mark.parametrize("make_results", [make_loads, make_loads_of_two_lengths])
def test_saturation_is_a_point_of_its_line(make_results: Callable[[], pandas.DataFrame]) -> None:
    section = section_of(make_results())
    rows = with_flits(section)
    for axes, size in zip(draw(section).axes, (32, 1024), strict=True):
        of_size = rows[(rows["transaction_size_bytes"] == size) & (rows["injection_rate"] == "saturation")]
        points = set(zip(of_size["offered_flits"], of_size["latency_cycles"], strict=True))
        lines = [line for line in axes.get_lines() if line.get_linestyle() != "None"]
        for looks in ("x", "o"):  # crosses are not distinguished by colour alone
            marks = [line for line in axes.get_lines() if line.get_linestyle() == "None" and line.get_marker() == looks]
            assert {mark.get_color() for mark in marks} <= {line.get_color() for line in lines}
            for mark in marks:
                own = [line for line in lines if line.get_color() == mark.get_color()]
                on_lines = {tuple(point) for line in own for point in line.get_xydata().tolist()}  # type: ignore[union-attr]
                assert {tuple(point) for point in mark.get_xydata().tolist()} <= points & on_lines  # type: ignore[union-attr]


def test_what_is_said_goes_by_the_longest() -> None:
    section = section_of(make_loads_of_two_lengths())
    assert observe_loads(section) == observe_loads(section_of(make_loads_of_two_lengths().iloc[len(make_loads()) :]))
    assert [row[2] for row in load_table(section)[:8]] == 4 * ["50"] + 4 * ["200"]


def test_loads_without_saturation_and_saturation_alone() -> None:
    results = make_loads()
    is_saturation = results["params"].str.contains("saturation")
    for part in (results[is_saturation], results[~is_saturation]):
        section = section_of(part.reset_index(drop=True))
        assert draw(section).axes
        ((_, sentences),) = observe_loads(section)
        assert any("At saturation, " in sentence for sentence in sentences) == part["params"].iloc[0].endswith("on")


def test_sentences() -> None:
    ((kernel, sentences),) = observe_loads(section_of(make_loads()))
    assert kernel == "Source"
    saturation = (
        "At saturation, the accepted load in flits per node and cycle depends on the pattern: 0.250 (uniform) and "
        "0.150 (tornado)."
    )
    assert sentences == [
        (
            "At an injection rate of 0.1 flits per node and cycle, the mean latency of packets of 1 flit (32 B) "
            "depends on the pattern: 138 cycles (uniform) and 182 cycles (tornado)."
        ),
        saturation,
        (
            "At an injection rate of 0.1 flits per node and cycle, the mean latency of packets of 32 flits (1 KiB) "
            "depends on the pattern: 180 cycles (uniform) and 238 cycles (tornado)."
        ),
        saturation,
    ]
    ((_, sentences),) = observe_loads(section_of(make_loads(data_ok=False)))
    assert sentences[-1] == "At 16 of 16 points, packets were lost or arrived with faults."


def test_the_best_load() -> None:
    assert best_load(section_of(make_loads())) == ["8.0", "25 %", "uniform, 32 B", "contention with other packets"]


def test_the_page(tmp_path: Path) -> None:
    import pandas

    results = pandas.concat([make_frame(), make_loads()], ignore_index=True)
    main, *_ = write_pages(pages_of(sections_of(results, make_reference(make_frame()))), tmp_path)
    assert "Every node creates packets at random" in main.read_text()
    page = (main.parent / "synthetic.md").read_text()
    assert f"[![{TEST}: Injection Rate vs Latency](synthetic_traffic.svg)](synthetic_traffic.svg)" in page
    assert "| uniform | 32 B | 50 | saturation: 0.250 | 303.0 | 0.2500 | 8.00 | contention |\n" in page
    assert "| tornado | 1 KiB | 50 | 0.3 | 5000.0 | 0.1500 | 4.80 | contention |\n" in page
    for table in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1
    assert not re.search("(?m)^$\n^$\n|[ \t]$", page), "no double blank lines, no trailing blanks"
    without_loads = write_pages(pages_of(sections_of(make_frame(), make_reference(make_frame()))), tmp_path / "other")[
        0
    ]
    assert "Every node" not in without_loads.read_text()
