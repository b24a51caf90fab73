from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy
import pandas
import pytest
from sample import make_row

from nocbench.pages.epiphany.curve_features import bytes_moved_in, crossover_bytes, cycles_per_dword, jumps, knee_bytes
from nocbench.pages.epiphany.drawings import (
    CloseUp,
    CoreCurves,
    CoreMap,
    Line,
    draw_columns,
    draw_core_curves,
    draw_sizes,
)
from nocbench.pages.epiphany.page import blocks_of, transfers_page
from nocbench.pages.epiphany.runs import Runs
from nocbench.pages.epiphany.time_diagrams import DIAGRAMS, draw_time_diagrams, point_of, ways_of
from nocbench.pages.page_files import pages_of, write_pages
from nocbench.pages.sections import Section, sections_of
from nocbench.points.constants import Constant, calibrated_constants
from nocbench.published.published_cells import (
    compare_cells,
    compared_rows,
    compared_transfer_speeds,
    read_cells,
)
from nocbench.published.reference import read_reference
from nocbench.published.transfers import SWEEP_BYTES, Transfer, curves_of, speeds_by_size, transfers_of
from nocbench.results.result_files import to_frame

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CLOCK_HZ = 600_000_000
# Cycles of a transfer by number of dwords, for each test, executor and state: simplified behaviour of the machine.
TIMES: dict[tuple[str, str, str], Callable[[int], float]] = {
    ("External Memory Write Sizes", "core", "alone"): lambda n: 47 + 16 * n + 180 * (n // 97),
    ("External Memory Write Sizes", "core_descending", "alone"): lambda n: 51 + 17 * min(n, 9) + 32 * max(0, n - 9),
    ("External Memory Write Sizes", "dma", "alone"): lambda n: max(479, 320 + 19 * n),
    ("External Memory Write Sizes", "core", "busy"): lambda n: 37 + 400 * n,
    ("External Memory Write Sizes", "dma", "busy"): lambda n: 453 + 400 * n,
    ("External Memory Read Sizes", "core", "alone"): lambda n: 45 + 535 * n,
    ("External Memory Read Sizes", "core", "busy"): lambda n: 60 + 582 * n,
    ("External Memory Read Sizes", "dma", "alone"): lambda n: 846 + 51.2 * n,
    ("External Memory Read Sizes", "dma", "busy"): lambda n: 900 + 410 * n,
    ("Core to Core Write Sizes", "core", "alone"): lambda n: 51 + 9 * n,
    ("Core to Core Write Sizes", "core_descending", "alone"): lambda n: 51 + 10 * n,
    ("Core to Core Write Sizes", "core", "busy"): lambda n: 22 + 9 * n,
    ("Core to Core Write Sizes", "dma", "alone"): lambda n: max(479, 320 + 2 * n),
    ("Core to Core Write Sizes", "dma", "busy"): lambda n: max(479, 320 + 2 * n),
    ("Core to Core Read Sizes", "core", "alone"): lambda n: 51 + 28.6 * n,
    ("Core to Core Read Sizes", "core", "busy"): lambda n: 22 + 28.6 * n,
    ("Core to Core Read Sizes", "dma", "alone"): lambda n: max(479, 345 + 12 * n),
    ("Core to Core Read Sizes", "dma", "busy"): lambda n: max(479, 345 + 15 * n),
}
HOST_CYCLES = {
    ("Host External Memory Transfers", "read"): 100.2,
    ("Host External Memory Transfers", "write"): 49.2,
    ("Host Core Transfers", "read"): 906.0,
    ("Host Core Transfers", "write"): 113.4,
}


def row(test: str, params: str, size_bytes: int, cycles: float, **changes: object) -> dict[str, object]:
    return make_row(
        **{
            "arch": "epiphany_iii",
            "test": test,
            "kernel": "Core",
            "num_transactions": 1,
            "transaction_size_bytes": size_bytes,
            "call_size_bytes": size_bytes,
            "latency_cycles": float(cycles),
            "bandwidth_bytes_per_cycle": size_bytes / cycles,
            "board": "parallella",
            "clock_hz": CLOCK_HZ,
            "params": params,
            **changes,
        }
    )


def transfers(settings: str = "", sizes: range | tuple[int, ...] = SWEEP_BYTES) -> list[dict[str, object]]:
    rows = [
        row(test, f"executor={executor};state={state}{settings}", size, cycles(size // 8))
        for (test, executor, state), cycles in TIMES.items()
        for size in sizes
    ]
    return rows + [
        row(test, f"direction={direction}{settings}", size, cycles * size / 8, kernel="Host")
        for (test, direction), cycles in HOST_CYCLES.items()
        for size in (8, 1024)
    ]


def by_core() -> list[dict[str, object]]:
    cycles = {0: 131072.0, 1: 131072.0, 2: 98304.0, 3: 65536.0}
    return [
        row(
            "Block Copies by Core",
            f"target=external;direction={direction};executor={executor}",
            2048,
            cycles[x],
            kernel=f"Core {x},{y}",
        )
        for direction, executor in (("write", "core"), ("write", "dma"), ("read", "dma"))
        for y in range(4)
        for x in range(4)
    ]


def by_core_and_size() -> list[dict[str, object]]:
    return [
        row(
            "Block Copies by Core",
            f"target=external;direction=read;executor={executor}",
            size,
            size * (64 - 8 * x),
            kernel=f"Core {x},{y}",
        )
        for executor in ("core", "dma")
        for size in (8, 1024)
        for y in range(4)
        for x in range(4)
    ]


def active() -> list[dict[str, object]]:
    return [
        row("Block Copies by Active Cores", f"direction=write;executor=core;active={number}", 2048, 4096.0 * number)
        for number in (1, 2)
    ]


def loads() -> list[dict[str, object]]:
    cores = [(x, y) for y in range(4) for x in range(4)]
    return [
        row(
            "Remote Load Latency",
            f"source={x},{y};target={to_x},{to_y}",
            4,
            10 * (18 + 3 * (abs(x - to_x) + abs(y - to_y))),
            num_transactions=10,
        )
        for x, y in cores
        for to_x, to_y in cores
    ]


def frame(rows: list[dict[str, object]]) -> pandas.DataFrame:
    return to_frame(rows)


def sections(rows: list[dict[str, object]]) -> list[Section]:
    return sections_of(frame(rows), read_reference())["epiphany_iii"]


def page_of(rows: list[dict[str, object]]) -> str:
    return transfers_page("epiphany_iii", sections(rows)).render()["README.md"]


def curve(times: list[float], first: int = 8) -> pandas.DataFrame:
    return pandas.DataFrame({"size_bytes": range(first, first + 8 * len(times), 8), "latency_cycles": times})


def test_the_published_cells() -> None:
    cells = read_cells()
    assert len(cells) == 21
    assert [cell.megabytes_per_second for cell in cells if cell.is_footnote] == [226]
    alone = next(cell for cell in cells if cell.megabytes_per_second == 441)
    assert alone.transfer == Transfer("core", "write", "core_descending", "alone")
    assert alone.name == "other E-core write, E-core, nonbusy"
    assert len({cell.transfer for cell in cells}) == 21


def test_both_metrics_of_a_cell() -> None:
    compared = {
        cell.cell.transfer: cell for cell in compare_cells(curves_of(transfers_of(frame(transfers()))), read_cells())
    }
    busy = compared[Transfer("core", "write", "core", "busy")]
    speeds = [4800 * n / (22 + 9 * n) for n in range(1, 257)]
    assert busy.mean == pytest.approx(sum(speeds) / 256)
    assert busy.at_largest == pytest.approx(speeds[-1])
    assert busy.best == busy.mean  # 510.6 and 528.3; the published value is 509
    assert busy.error_percent == pytest.approx(100 * (sum(speeds) / 256 / 509 - 1))
    dma = compared[Transfer("external", "write", "dma", "alone")]
    assert dma.best == dma.at_largest  # the published value is 230
    host = compared[Transfer("core", "write", "host", "")]
    assert host.mean is None
    assert host.at_largest == pytest.approx(8 / 113.4 * 600)
    assert len(compared_rows(list(compared.values()))) == 20


def test_a_mean_takes_all_sizes() -> None:
    some = frame(transfers(sizes=(8, 72, 2048)))
    compared = compare_cells(curves_of(transfers_of(some)), read_cells())
    assert {cell.mean for cell in compared} == {None}
    assert all(cell.at_largest is not None for cell in compared)
    few = frame(transfers(sizes=(8, 72)))
    compared = compare_cells(curves_of(transfers_of(few)), read_cells())
    assert {cell.error_percent for cell in compared if cell.cell.executor != "host"} == {None}


def test_accuracy_of_the_two_tables() -> None:
    external, core = (table.accuracy() for table in compared_transfer_speeds(frame(transfers())))
    assert (external.kernel, external.points, external.missing) == ("Transfers to external memory", 10, 0)
    assert (core.kernel, core.points, core.quantity) == ("Transfers to other cores", 10, "speed")
    assert core.max_percent is not None
    assert core.max_percent < 10
    assert core.worst_cell.startswith("other E-core write, E-core DMA, ")
    assert (external.fitted_points, external.never_seen_points) == (9, 1)
    assert (core.fitted_points, core.never_seen_points) == (3, 7)
    rows = [row for row in transfers(sizes=(8,)) if row["test"] == "Core to Core Read Sizes"]
    (core,) = (table.accuracy() for table in compared_transfer_speeds(frame(rows)))
    assert (core.points, core.missing, core.median_percent) == (0, 4, None)
    assert compared_transfer_speeds(frame(transfers(";mesh.hop_cycles=3"))) == []
    assert compared_transfer_speeds(frame(loads())) == []


def test_where_two_curves_cross() -> None:
    first = curve([10.0 * n for n in range(1, 41)])
    second = curve([205.0] * 40)
    assert crossover_bytes(first, second) == pytest.approx(8 * 20.5)
    assert crossover_bytes(second, first) is None  # always slower
    assert crossover_bytes(first, first) is None
    assert bytes_moved_in(first, 205) == pytest.approx(8 * 20.5)
    assert bytes_moved_in(first, 5) is None


def test_the_knee_of_a_curve() -> None:
    bent = curve([51 + 17.0 * min(n, 9) + 32.0 * max(0, n - 9) for n in range(1, 257)])
    assert knee_bytes(bent) == pytest.approx(72)
    assert cycles_per_dword(bent) == pytest.approx(32)
    assert knee_bytes(curve([3.0 * n for n in range(1, 100)])) is None
    assert knee_bytes(curve([1.0, 2.0])) is None
    assert cycles_per_dword(curve([1.0])) is None


def test_jumps_of_a_curve() -> None:
    times = [47 + 16.0 * n + (180 if n >= 97 else 0) + (60 * min(3, max(0, n - 190))) for n in range(1, 257)]
    assert [tuple(jump) for jump in jumps(curve(times))] == [(776, 776, 180.0), (1528, 1544, 180.0)]
    assert jumps(curve([16.0 * n for n in range(1, 257)])) == []


def test_the_whole_page(tmp_path: Path) -> None:
    step = next(constant for constant in calibrated_constants("epiphany_iii") if constant.path == "elink.read_periods")
    rows = [
        *transfers(),
        *by_core(),
        *loads(),
        *transfers(";board.clock_hz=300000000", sizes=(2048,)),
        *transfers(f";{step.path}={step.step_up}", sizes=(2048,)),
    ]
    for changed in rows[-46:]:
        if "read_periods" in str(changed["params"]) and "External Memory Read" in str(changed["test"]):
            changed["bandwidth_bytes_per_cycle"] = 0.9 * float(str(changed["bandwidth_bytes_per_cycle"]))
    path, _ = write_pages(pages_of({"epiphany_iii": sections(rows)}), tmp_path)
    page = path.read_text()
    assert re.findall("^## (.*)$", page, re.MULTILINE) == [
        "Published speeds",
        "External memory, nonbusy",
        "Core to core, nonbusy",
        "External memory, busy",
        "Loads from other cores",
        "What the figures rest on",
        "Where the document contradicts itself",
        "What if",
    ]
    assert not re.search("(?m)^$\n^$\n|[ \t]$", page), "no double blank lines, no trailing blanks"
    for table in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1
    assert "| E-core | nonbusy | **9.0** | 9.0 | 8.9 | *+" in page
    assert re.search(
        r"Constants were fitted to 12 of these 20 cells. The median error of the fitted cells is \S+ %. The median",
        page,
    )
    assert "The model differs from 20 cells of the document by " in page
    assert "226 MB/s are 16 times the 14.1 MB/s of the busy cell (225.6 MB/s)" in page
    assert "the link serves a write of this core every 32.0 cycles." in page
    assert "| size at which the slope of single writes changes | around 70 bytes | 72.0 bytes | +2.9 % |" in page
    assert "jumps at 776 bytes (+180 cycles) and 1552 bytes (+180 cycles)" in page
    assert "|  | share of the row's speed, model | 0.250 | 0.250 | 0.333 | 0.500 |" in page
    assert "For 240 pairs of cores, the model takes exactly the expected time." in page
    assert "- **A**: `board.clock_hz=300000000`" in page
    resting = re.search(r"`elink.read_periods` \| (.*?) \|.*\| (.*?) \| external read: .*E-core busy", page)
    assert resting is not None
    assert resting.groups() == (step.value, step.step_up)
    pictures = re.findall(r"\]\(([^)#]+\.svg)\)", page)
    assert len(pictures) == 10
    assert all((path.parent / name).is_file() for name in pictures)
    anchors = {
        re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-") for name in re.findall("^## (.*)$", page, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= anchors
    assert "[epiphany_iii](epiphany_iii/README.md)" in (tmp_path / "README.md").read_text()


def test_speeds_of_the_document_have_the_markers_of_their_curves() -> None:
    rows = pandas.DataFrame(
        {"size_bytes": [8, 2048], "megabytes_per_second": [10.0, 90.0], "latency_cycles": [100.0, 900.0]}
    )
    figure = draw_sizes("A title", [Line("write", rows, 85.0), Line("read", rows, 15.0), Line("DMA", rows, None)])
    curves = [line for line in figure.axes[0].get_lines() if line.get_linestyle() == "-"]
    published = [line for line in figure.axes[0].get_lines() if line.get_linestyle() == ":"]
    assert [line.get_marker() for line in published] == [line.get_marker() for line in curves[:2]]
    assert len({line.get_marker() for line in curves}) == 3


def test_the_first_bytes_are_drawn_once_more() -> None:
    rows = pandas.DataFrame(
        {
            "size_bytes": [8, 256, 2048],
            "megabytes_per_second": [10.0, 200.0, 90.0],
            "latency_cycles": [100.0, 500.0, 9000.0],
        }
    )
    close_up = CloseUp(256, [(70, "a knee"), (150, "a start")])
    figure = draw_sizes("A title", [Line("write", rows, 85.0), Line("read", rows, None, in_times=False)], close_up)
    assert [axes.get_xlim() for axes in figure.axes] == [(0, 2048), (0, 2048), (0, 256), (0, 256)]
    for axes in figure.axes[2:]:
        assert [numpy.asarray(line.get_xdata())[0] for line in axes.get_lines() if line.get_color() == "black"] == [
            70,
            150,
        ]
    assert figure.axes[3].get_ylim()[1] < 600, "the axis fits what is in the panel"
    assert len(figure.axes[2].get_lines()) == 2 + 1 + 2
    assert len(figure.axes[3].get_lines()) == 1 + 2
    assert [text.get_text() for text in figure.legends[1].get_texts()][1:] == ["a knee", "a start"]


def test_speeds_of_raw_data_are_marked_at_their_columns() -> None:
    rows = pandas.DataFrame({"x": [0, 1], "y": [0, 0], "megabytes_per_second": [5.0, 10.0]})
    maps = [CoreMap("write", rows, [5.5, 9.5]), CoreMap("read", rows)]
    figure = draw_columns("A title", maps, [], [])
    bars = [bar.get_paths()[0].vertices for bar in figure.axes[1].collections]
    assert [[float(y) for y in numpy.asarray(bar)[:, 1]] for bar in bars] == [[5.5, 5.5], [9.5, 9.5]]
    assert "bars: raw data, by column" in [text.get_text() for text in figure.legends[1].get_texts()]


def test_busy_reads_of_every_core_against_size() -> None:
    rows = pandas.DataFrame(
        [
            {"x": x, "y": y, "size_bytes": size, "megabytes_per_second": 10.0 * (x + 1)}
            for x in range(2)
            for y in range(3)
            for size in (8, 64)
        ]
    )
    figure = draw_core_curves("A title", [CoreCurves("read", rows, 12.0, [9.0, 21.0]), CoreCurves("DMA read", rows)])
    first, second = figure.axes
    assert [len(axes.get_lines()) for axes in (first, second)] == [6 + 1, 6]
    assert len({line.get_color() for line in second.get_lines()}) == 2, "cores of a column look alike"
    assert len(first.collections) == 2
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["cores of column 0", "cores of column 1"]
    page = page_of([*transfers(), *by_core_and_size()])
    assert "**Reads of every core, by size.**" in page
    assert "external_memory_busy_reads.svg" in page
    assert "external_memory_busy_reads.svg" not in page_of([*transfers(), *by_core()])


def test_time_diagrams_are_from_traces() -> None:
    store, load, dma = (point_of("epiphany_iii", diagram) for diagram in DIAGRAMS)
    ways = {point: ways_of(point.catalogue.trace_point(point, 1000)) for point in (store, load, dma)}
    assert [len(ways[point]) for point in (store, load, dma)] == [8, 3, 8]
    for point, of_point in ways.items():
        assert all(way.left < way.at_link < way.served for way in of_point)
        assert all((way.back is None) == (point is store) for way in of_point)
    backs = [way.back or 0 for way in ways[load]]
    assert all(back < way.left for back, way in zip(backs, ways[load][1:], strict=False)), "one load after the other"
    assert ways[dma][-1].left < (ways[dma][0].back or 0), "all requests are out before the first data are back"
    figure = draw_time_diagrams("A title", [store, load, dma])
    assert [axes.get_title() for axes in figure.axes] == [diagram.label for diagram in DIAGRAMS]
    assert all(axes.get_ylim()[0] > axes.get_ylim()[1] == 0 for axes in figure.axes), "time runs downward"
    page = page_of([*transfers(), *active()])
    assert "## Time diagrams" in page
    command = re.search("`nocbench trace (.*?)`", page)
    assert command is not None
    assert f"-a call_size={DIAGRAMS[-1].num_bytes}" in command[1]
    assert "## Time diagrams" not in page_of(transfers())


def test_what_has_no_rows_is_left_out() -> None:
    page = page_of(loads())
    assert re.findall("^## (.*)$", page, re.MULTILINE) == [
        "Loads from other cores",
        "What the figures rest on",
        "Where the document contradicts itself",
    ]
    few = sections(transfers(sizes=(8, 72)))
    assert [picture.file_stem for picture in transfers_page("epiphany_iii", few).pictures] == [
        "external_memory_alone",
        "core_to_core_alone",
    ]
    one_test = [row for row in transfers() if row["test"] == "Core to Core Write Sizes"]
    page = page_of(one_test)
    assert "16 cells of the document have no results." in page
    assert "| E-core | busy | - | - | 173 | - | **511** | 528 | 509 | +0.3 % |" in page
    only_set = Runs.of(sections(transfers(";board.clock_hz=300000000", sizes=(2048,))))
    assert [block.heading for block in blocks_of(only_set)][-1] != "Published speeds"
    assert only_set.curves == {}


def test_transfers_by_size() -> None:
    curves = curves_of(transfers_of(frame(transfers(sizes=(16, 8)))))
    speeds = speeds_by_size(curves, Transfer("core", "write", "core", "busy"))
    assert list(speeds) == [8, 16]
    assert speeds[8] == pytest.approx(8 * 600 / 31)
    assert speeds_by_size(curves, Transfer("core", "write", "core", "idle")) == {}


def test_steps_of_constants() -> None:
    def step_up(value: str) -> str:
        return Constant("a.b", value, "cycles", "measured", "").step_up

    assert [step_up(value) for value in ("1", "22", "4.2125", "6.4")] == ["2", "25", "4.6338", "7.04"]
    constants = calibrated_constants("epiphany_iii")
    assert {constant.status for constant in constants} == {"fitted", "measured"}
    assert all(constant.fitted_to for constant in constants if constant.status == "fitted")
