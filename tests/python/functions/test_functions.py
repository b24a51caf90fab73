"""Commands as functions, and what notebooks display of their results."""

from __future__ import annotations

import inspect
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas
import pytest
import small_suite

import nocbench

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "examples/flows/reshard.csv"
POINT: dict[str, Any] = {"arch": "blackhole", "num_transactions": 16, "call_size": 2048}
TEST = "One to One Packet Sizes"


class _Texts(HTMLParser):
    """Texts of cells, and balance of the elements."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def texts_of(shown: Any) -> list[str]:  # noqa: ANN401 - of any class
    """Returns the texts of what a notebook displays."""
    parser = _Texts()
    parser.feed(shown._repr_html_())
    parser.close()
    assert parser.open == []
    return parser.texts


def test_explanations_add_up_and_are_displayed() -> None:
    [one] = nocbench.explain(TEST, **POINT)
    assert sum(one.waits.values()) == pytest.approx(one.latency_cycles)
    texts = texts_of(nocbench.explain(TEST, **POINT))
    assert f"{one.latency_cycles:.10g} cycles" in texts[0].replace(",", "")
    assert {"issue", "what happened"} <= set(texts)


def test_two_points_are_explained_side_by_side() -> None:
    both = nocbench.explain(TEST, **{**POINT, "call_size": [1024, 2048]})
    assert len(both) == 2
    assert both[0].latency_cycles < both[1].latency_cycles


def test_a_heat_map_is_a_picture_and_a_table(tmp_path: Path) -> None:
    found = nocbench.heatmap(TEST, **POINT)
    assert list(found.links.utilisation) == sorted(found.links.utilisation, reverse=True)
    found.save(tmp_path / "hot.png")
    png = b"\x89PNG"
    assert (tmp_path / "hot.png").read_bytes()[:4] == found._repr_png_()[:4] == png
    with pytest.raises(nocbench.InputError, match="the name of a picture ends in"):
        found.save(tmp_path / "hot.gif")


def test_a_trace_is_written(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    nocbench.trace(TEST, path, **POINT)
    about = json.loads(path.read_text())["otherData"]
    assert (about["test"], about["call_size"]) == (TEST, "2048")
    with pytest.raises(nocbench.InputError, match=r"ends in \.json"):
        nocbench.trace(TEST, tmp_path / "trace.txt", **POINT)


def test_flows_take_files_and_frames() -> None:
    from_file = nocbench.flows(TABLE, arch="blackhole")
    from_frame = nocbench.flows(pandas.read_csv(TABLE, comment="#"), arch="blackhole")
    assert from_file.cycles == from_frame.cycles == max(from_file.flows.end)
    assert set(from_file.frame.test) == {"reshard"}
    assert f"{from_file.cycles:,.0f} cycles" in texts_of(from_file)[0]
    with pytest.raises(nocbench.InputError, match=r"expected the chip to run on, .* or .*, found none"):
        nocbench.flows(TABLE)


def test_optimised_flows_can_be_saved_and_run(tmp_path: Path) -> None:
    found = nocbench.optimise(TABLE, vary="order", arch="blackhole", runs=20, jobs=0)
    before, after = found.cycles
    assert after < before
    assert found.changes
    found.save(tmp_path / "best.csv")
    assert nocbench.flows(tmp_path / "best.csv", arch="blackhole").cycles == after
    assert any(f"{after:,.0f} cycles instead of" in text for text in texts_of(found))
    with pytest.raises(nocbench.InputError, match="vary: expected placement, noc, order, vc, found 'orders'"):
        nocbench.optimise(TABLE, vary="orders", arch="blackhole")


def test_replays_are_a_table() -> None:
    traces = sorted((ROOT / "examples/traces").glob("*.json"))
    found = nocbench.replay(*traces)
    assert list(found.frame.trace) == [trace.name for trace in traces]
    assert set(found.frame.trace) <= set(texts_of(found))
    with pytest.raises(nocbench.InputError, match="pace: expected recorded or dependencies, found 'fast'"):
        nocbench.replay(*traces, pace="fast")


def test_slower_results_are_slower(tmp_path: Path) -> None:
    choice: dict[str, Any] = {"arch": "blackhole", "num_transactions": 4, "call_size": [64, 1024]}
    before = nocbench.run(TEST, **choice)
    after = before.assign(latency_cycles=before.latency_cycles * 1.5)
    found = nocbench.compare(before, after)
    assert set(found.frame.verdict) == {"slower"}
    assert (found.frame.worse_percent > 0).all()
    assert "slower" in texts_of(found)
    path = tmp_path / "before.csv"
    before.to_csv(path, index=False)
    assert set(nocbench.compare(path, before).frame.verdict) == {"same"}
    elsewhere = nocbench.run(TEST, **choice, settings={"router.hop_cycles": 40})
    with pytest.raises(nocbench.NocbenchError, match="no point is on both sides"):
        nocbench.compare(before, elsewhere)


def test_pages_are_made_from_a_frame(tmp_path: Path) -> None:
    rows = nocbench.run("Loopback Packet Sizes", arch="blackhole", num_transactions=[1, 4], call_size=[64, 1024])
    files = nocbench.plot(rows, tmp_path, jobs=0)
    assert {file.suffix for file in files} == {".md"}
    assert all(file.is_file() for file in files)
    assert list(tmp_path.rglob("*.svg"))


def test_programs_display_their_source_lines(tmp_path: Path) -> None:
    program = nocbench.Program("blackhole")
    kernel = tmp_path / "count.cpp"
    kernel.write_text("void kernel_main() {\n  for (volatile int i = 0; i < 9 && i >= 0; i = i + 1) {}\n}\n")
    program.kernel(kernel, cores=program.rectangle((0, 0), (2, 1)))
    texts = texts_of(program.run())
    assert "for (volatile int i = 0; i < 9 && i >= 0; i = i + 1) {}" in texts
    assert "6" in texts


def test_rectangles_are_checked() -> None:
    program = nocbench.Program("blackhole")
    assert program.rectangle((1, 2), (2, 3)) == [(1, 2), (2, 2), (1, 3), (2, 3)]
    with pytest.raises(nocbench.InputError, match="on its right and below, found"):
        program.rectangle((2, 2), (1, 3))
    with pytest.raises(nocbench.InputError, match="expected cores of the machine, found"):
        program.rectangle((0, 0), (40, 0))


def test_estimates_are_displayed() -> None:
    found = nocbench.estimate("unicast", bytes=64)
    assert f"{found.cycles:,.10g} cycles" in texts_of(found)[0]


@pytest.mark.parametrize(
    "name", ["explain", "heatmap", "trace", "flows", "optimise", "replay", "compare", "plot", "roofline"]
)
def test_functions_survive_the_import_of_everything_else(name: str) -> None:
    """A package of the name of a function would take its place."""
    function = getattr(nocbench, name)
    assert inspect.isfunction(function)
    assert re.match(r"nocbench\.functions\.", function.__module__)


@pytest.mark.parametrize("name", ["flows", "optimise", "replay", "compare", "plot", "roofline"])
def test_misspelt_keywords_are_errors(name: str) -> None:
    with pytest.raises(TypeError, match="acuracy"):
        getattr(nocbench, name)(TABLE, acuracy="fast")


@pytest.mark.parametrize("name", ["explain", "heatmap"])
def test_misspelt_axes_are_errors(name: str) -> None:
    with pytest.raises(nocbench.InputError, match="call_sizes"):
        getattr(nocbench, name)(TEST, arch="blackhole", num_transactions=1, call_sizes=64)


def test_a_suite_is_gated(tmp_path: Path) -> None:
    """A slower kernel fails, and the comparison says by how much."""
    suite = small_suite.write_suite(tmp_path / "suite")
    small_suite.Repository(tmp_path).commit()
    same = nocbench.gate("main", suite=suite, jobs=0)
    assert (same.outcome, set(same.frame.verdict)) == ("PASS", {"same"})
    small_suite.write_suite(suite, kernel=small_suite.KERNEL.replace("page < PAGES", "page < PAGES + 3"))
    slower = nocbench.gate("main", suite=suite, jobs=0, directory=tmp_path / "reports")
    assert (slower.outcome, set(slower.frame.verdict)) == ("FAIL", {"slower"})
    assert (slower.frame.worse_percent > 1).all()
    assert (tmp_path / "reports" / "report.html").is_file()
    assert "points that changed" in texts_of(slower)
    with pytest.raises(nocbench.InputError, match="no-such-branch"):
        nocbench.gate("no-such-branch", suite=suite, jobs=0)
