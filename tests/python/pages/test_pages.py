from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
import pandas
import pytest
from markdown_pages import headings_of, tables_of
from published import HEADINGS, TESTS, make_results
from sample import make_frame, make_reference

from nocbench.pages import families as families_module
from nocbench.pages.page_files import pages_of, write_pages
from nocbench.pages.picture_links import pictures_in
from nocbench.pages.plots import draw
from nocbench.pages.sections import sections_of
from nocbench.published.accuracy_summary import accuracy_summary
from nocbench.published.accuracy_tables import compared_tables
from nocbench.published.reference import with_origin
from nocbench.results.result_files import write_results
from nocbench.running.engines.worker_processes import WorkerProcesses
from nocbench.support.errors import InputError, PictureError
from nocbench.support.units import slug

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

pytestmark = pytest.mark.usefixtures("fake_simulator")


WORMHOLE_FAMILIES = {
    "dram_unary": "DRAM Interleaved Packet Sizes",
    "one_to_one": "One to One Packet Sizes",
    "loopback": "Loopback Packet Sizes",
}


def sample_results() -> pandas.DataFrame:
    return pandas.concat(
        [
            make_frame(kernel="Sender", test="DRAM Interleaved Packet Sizes", test_id=0, primitive="dram_unary"),
            make_frame(kernel="Receiver", test="DRAM Interleaved Packet Sizes", test_id=0, primitive="dram_unary"),
            make_frame(),
            make_frame(test="Loopback Packet Sizes", test_id=16, primitive="loopback"),
            make_frame(arch="blackhole", board="p100"),
        ],
        ignore_index=True,
    )


def sample_reference() -> pandas.DataFrame:
    results = sample_results()
    return with_origin(make_reference(results[results["test"] != "Loopback Packet Sizes"], 1.02))


def write(directory: Path, **options: Any) -> dict[str, bytes]:  # noqa: ANN401 - of the function called
    results, reference = sample_results(), sample_reference()
    compared = compared_tables(results, reference)
    write_pages(pages_of(sections_of(results, reference)), directory, compared=compared, **options)
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def written_once() -> dict[str, bytes]:
    return {}


@pytest.fixture
def written(written_once: dict[str, bytes], tmp_path: Path, fake_simulator: object) -> dict[str, bytes]:
    """Writes the sample's pages and pictures once, for the first test that reads them."""
    del fake_simulator
    if not written_once:
        written_once.update(write(tmp_path / "written"))
    return written_once


def test_a_page_and_pictures_per_architecture(written: dict[str, bytes]) -> None:
    files = written
    pictures = [
        "blackhole/one_to_one_packet_sizes",
        "wormhole_b0/dram_interleaved_packet_sizes",
        "wormhole_b0/loopback_packet_sizes",
        "wormhole_b0/one_to_one_packet_sizes",
    ]
    pages = ["blackhole/README.md", *(f"wormhole_b0/{name}.md" for name in ("README", *WORMHOLE_FAMILIES))]
    assert sorted(files) == sorted(["README.md", "accuracy.svg", *pages] + [f"{picture}.svg" for picture in pictures])
    page = files["wormhole_b0/README.md"].decode()
    assert headings_of(page) == ["# Data movement performance of wormhole_b0", "## How to read the pictures"]
    for name, heading in WORMHOLE_FAMILIES.items():
        family = files[f"wormhole_b0/{name}.md"].decode()
        assert headings_of(family) == [f"# `{name}` on wormhole_b0", f"## {heading}"]
        assert f"{name}/README.md describes the tests\n" in family
        assert f"]({slug(heading)}.svg)\n" in family
        assert f"[{heading}]({name}.md#{heading.lower().replace(' ', '-')})" in page
    page = "".join(files[f"wormhole_b0/{name}.md"].decode() for name in ("README", *WORMHOLE_FAMILIES))
    assert "| Sender | 16 | 512 B | 652 | 665.04 | -1.96 % | fitted to | 12.56 | 12.32 | issue |\n" in page
    assert "Constants were fitted to these 75 published points.\n" in page
    (row,) = (row for table in tables_of(page) for row in table if "](one_to_one.md#" in row[0])
    assert [cell.strip() for cell in row[2:]] == [
        "31.9 B/cycle, 100 %, the link",
        "1.96 %, at most 1.96 %",
    ]
    assert page.count("The latency of the model differs from silicon by ") == 3  # none in the section of Loopback
    assert "**Receiver.** With 256 transactions" in page
    for name in pages:
        page = files[name].decode()
        assert not re.search("(?m)^$\n^$\n|[ \t]$", page), f"{name}: no double blank lines, no trailing blanks"
    index = files["README.md"].decode()
    assert "[blackhole](blackhole/README.md)" in index
    assert "[wormhole_b0](wormhole_b0/README.md)" in index


def test_the_first_picture_is_near_the_top(written: dict[str, bytes]) -> None:
    for name, content in written.items():
        if name.endswith("/README.md"):
            lines = content.decode().splitlines()
            assert next(number for number, line in enumerate(lines) if "<img " in line) < 10


@pytest.mark.usefixtures("published_tests")
def test_a_large_family_has_one_table(tmp_path: Path) -> None:
    results = make_results()
    reference = make_reference(results[results["test"].str.contains("2x2 .* without")])
    write_pages(pages_of(sections_of(results, reference)), tmp_path)
    family = (tmp_path / "wormhole_b0" / "one_to_all.md").read_text()
    # Pictures show the family's first test, tests with published measurements, and the ways of writing to a grid.
    assert len(pictures_in(family)) == 9
    assert headings_of(family)[-1] == "## Other tests"
    assert family.count("\n| One to All ") == 18 - 9
    # A small family has a section for each test.
    others = "## Other tests"
    assert [file.stem for file in (tmp_path / "wormhole_b0").glob("*.md") if others in file.read_text()] == [
        "one_to_all"
    ]


@pytest.mark.usefixtures("published_tests")
def test_the_whole_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(families_module, "_LARGE_FAMILY", 100)
    results = make_results()
    reference = make_reference(results[results["test"].str.contains("2x2 .* without")])
    main_path, *others, _ = write_pages(pages_of(sections_of(results, reference)), tmp_path)
    page = (main_path.parent / "one_to_all.md").read_text()
    assert headings_of(page)[:6] == [
        "# `one_to_all` on wormhole_b0",
        "## One to All Packet Sizes",
        "### Unicast",
        "#### 2x2",
        "#### 4x4",
        "#### 10x10",
    ]
    pictures = [name for file in others for name in pictures_in(file.read_text())]
    assert len(pictures) == len(TESTS) == 25
    assert all((main_path.parent / name).is_file() for name in pictures)
    assert page.count("**Without Loopback.**") == page.count("**With Loopback.**") == len(HEADINGS) / 2
    assert page.count("The latency of the model differs from silicon by ") == 3
    assert "| 5x5 | 24 | 135,468 | 98,860 | 6,444 | 12,589,356 | 622,892 | 524,844 |\n" in page
    for file in (main_path, *others):
        assert not re.search("(?m)^$\n^$\n|[ \t]$", file.read_text()), "no double blank lines, no trailing blanks"
    ((header, _, *overview),) = tables_of(main_path.read_text())
    assert len(header) == 4
    families = [row for row in overview if "**" in row[1]]
    assert len(families) == len(others) == 8
    assert len(overview) == 8 + 25


def test_tables_have_as_many_cells_in_every_row(written: dict[str, bytes]) -> None:
    for name, content in written.items():
        if name.endswith(".md"):
            assert all(len({len(row) for row in table}) == 1 for table in tables_of(content.decode()))


def test_worker_processes_give_the_same_bytes(tmp_path: Path, written: dict[str, bytes]) -> None:
    num_done: list[int] = []
    assert write(tmp_path / "actual", engine=WorkerProcesses(2), on_progress=num_done.append) == written
    assert num_done == [1, 2, 3, 4, 5]


def test_a_picture_that_cannot_be_drawn(tmp_path: Path) -> None:
    (section,) = sections_of(make_frame(), sample_reference())["wormhole_b0"]
    broken = dataclasses.replace(section, results=section.results.drop(columns="latency_cycles"))
    with pytest.raises(PictureError) as error:
        write_pages(pages_of({"wormhole_b0": [broken]}), tmp_path)
    assert str(error.value) == (
        "the picture of 'One to One Packet Sizes' on wormhole_b0 was not drawn: KeyError: 'latency_cycles'"
    )


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "wormhole_b0" / "one_to_one_packet_sizes.svg").mkdir(parents=True)
    with pytest.raises(InputError, match=r"one_to_one_packet_sizes\.svg: cannot be written: Is a directory"):
        write_pages(pages_of(sections_of(make_frame(), sample_reference())), tmp_path)


def test_the_theoretical_maximum_follows_the_flit_width(tmp_path: Path) -> None:
    results = pandas.concat([make_frame(), make_frame(params="noc=1;router.flit_bytes=64")])
    sections = sections_of(results, sample_reference())
    assert [section.theoretical_bytes_per_cycle for section in sections["wormhole_b0"]] == [32, 64]
    page = write_pages(pages_of(sections), tmp_path)[0].read_text()
    assert "one flit per cycle, which is 32 or 64 bytes per cycle." in page
    assert "The parameters are `noc=1;router.flit_bytes=64`." in page
    first, second = re.findall(r"B/cycle \((\d+) % of the theoretical maximum\)", page)
    assert abs(int(first) - 2 * int(second)) <= 1


def test_a_board_that_this_revision_does_not_know() -> None:
    (section,) = sections_of(make_frame(board="n1000"), sample_reference())["wormhole_b0"]
    assert section.theoretical_bytes_per_cycle == 32


def test_another_process_and_the_users_settings_give_the_same_bytes(tmp_path: Path, written: dict[str, bytes]) -> None:
    write_results(sample_results().to_dict("records"), tmp_path / "results.csv")  # type: ignore[arg-type]
    sample_reference().drop(columns="is_fitted").to_csv(tmp_path / "reference.csv", index=False)
    (tmp_path / "matplotlibrc").write_text("font.family: monospace\nlines.linewidth: 9\nfigure.facecolor: red\n")
    here = Path(__file__).parents[1]
    subprocess.run(
        [sys.executable, "-m", "nocbench", "plot", "results.csv", "--reference", "reference.csv", "-o", "plots"],
        check=True,
        cwd=tmp_path,
        env={
            "PYTHONPATH": ":".join([str(here / "fake_installation"), str(here), *filter(None, sys.path)]),
            "MATPLOTLIBRC": str(tmp_path / "matplotlibrc"),
            "LC_ALL": "C",
            "TZ": "Asia/Tokyo",
            "PYTHONHASHSEED": "7",
        },
    )
    directory = tmp_path / "plots"
    assert {
        str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    } == written


def test_pictures_hold_no_dates_and_versions(written: dict[str, bytes]) -> None:
    svg = written["wormhole_b0/one_to_one_packet_sizes.svg"].decode()
    assert "<dc:date>" not in svg
    assert "Matplotlib v" not in svg


def test_every_series_is_drawn() -> None:
    sections = sections_of(sample_results(), sample_reference())["wormhole_b0"]
    dram, one_to_one, loopback = (draw(section) for section in sections)
    assert len(dram.axes) == 4
    assert len(one_to_one.axes) == 2
    assert [axes.get_title() for axes in dram.axes] == [
        "Receiver: Transaction Size vs Duration",
        "Receiver: Transaction Size vs Bandwidth",
        "Sender: Transaction Size vs Duration",
        "Sender: Transaction Size vs Bandwidth",
    ]
    for figure, lines_per_count in ((dram, 2), (one_to_one, 2), (loopback, 1)):
        duration, bandwidth = figure.axes[:2]
        with_points = [line for line in duration.get_lines() if numpy.size(line.get_xdata())]
        assert len(with_points) == 5 * lines_per_count
        assert (duration.get_xscale(), duration.get_yscale()) == ("log", "log")
        assert (bandwidth.get_xscale(), bandwidth.get_yscale()) == ("log", "linear")
        assert bandwidth.get_ylim()[0] == 0
        assert 32 in numpy.asarray(bandwidth.get_lines()[-1].get_ydata())
        assert duration.get_xlabel() == "Transaction size"
        assert duration.get_ylabel() == "Duration (cycles)"
        assert bandwidth.get_ylabel() == "Bandwidth (B/cycle)"
        assert next(label.get_text() for label in duration.get_xticklabels()) == "32 B"


def test_a_sweep_of_many_counts_and_odd_sizes() -> None:
    results = make_frame(counts=tuple(range(1, 13)), sizes=(2016, 4032, 129024))
    (section,) = sections_of(results, make_reference(results))["wormhole_b0"]
    assert len(draw(section).legends[0].get_texts()) == 12


def test_axes_of_transactions_of_many_calls() -> None:
    results = make_frame(sizes=(63 * 32, 63 * 65536)).assign(call_size_bytes=[32, 65536] * 5)
    (section,) = sections_of(results, make_reference(results))["wormhole_b0"]
    duration, bandwidth = draw(section).axes
    assert duration.get_xlabel() == bandwidth.get_xlabel() == "Transaction size: 63 calls of 32 B to 64 KiB"
    labels = [label.get_text() for label in bandwidth.get_xticklabels()]
    assert (labels[0], labels[-1]) == ("1 KiB", "4 MiB")


def test_labels_of_durations() -> None:
    (section,) = sections_of(make_frame(), make_reference(make_frame()))["wormhole_b0"]
    label = draw(section).axes[0].yaxis.get_major_formatter()
    assert [label(cycles) for cycles in (300, 1e3, 2e4, 1e5, 1e6, 1e8, 1e9)] == [
        *("300", "1 k", "20 k", "100 k", "1 M", "100 M", "1 G")
    ]


def test_the_legend_shows_what_is_drawn() -> None:
    dram, _, loopback = sections_of(sample_results(), sample_reference())["wormhole_b0"]
    for section, marker in ((dram, "o"), (loopback, "None")):
        handle = draw(section).legends[0].get_lines()[0]
        assert handle.get_marker() == marker


def dashes_of(line: Line2D) -> object:
    return vars(line)["_dash_pattern"]


@pytest.mark.parametrize("num_counts", [5, 8])
def test_lines_without_markers_differ_by_dashes(num_counts: int) -> None:
    results = make_frame(counts=tuple(2**power for power in range(num_counts)))
    (section,) = sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"]
    figure = draw(section)
    for lines in (*(axes.get_lines()[:num_counts] for axes in figure.axes), figure.legends[0].get_lines()):
        assert len({str(dashes_of(line)) for line in lines}) == len(lines) == num_counts
    first = figure.axes[0].get_lines()[:num_counts]
    of_legend = {str(line.get_label()): dashes_of(line) for line in figure.legends[0].get_lines()}
    labels = ["1 transaction", *(f"{2**power} transactions" for power in range(1, num_counts))]
    assert [dashes_of(line) for line in first] == [of_legend[label] for label in labels]


def test_lines_with_markers_are_solid() -> None:
    results = make_frame()
    reference = make_reference(results)
    published = reference[reference["num_transactions"] > 4]
    (section,) = sections_of(results, published)["wormhole_b0"]
    lines = [line for line in draw(section).axes[0].get_lines() if line.get_linestyle() != "None"]
    assert [line.get_linestyle() for line in lines] == ["-", "--", "-", "-", "-"]  # 1: the first style; 4: dashed
    (section,) = sections_of(results, reference)["wormhole_b0"]
    assert {line.get_linestyle() for line in draw(section).axes[0].get_lines()} == {"-", "None"}


def test_boards_and_parameters_get_sections_of_their_own() -> None:
    results = pandas.concat([make_frame(), make_frame(params="noc=1"), make_frame(board="n300")])
    sections = sections_of(results, make_reference(make_frame()))["wormhole_b0"]
    assert [section.title for section in sections] == [
        "One to One Packet Sizes",
        "One to One Packet Sizes (n150, noc=1)",
        "One to One Packet Sizes (n300)",
    ]
    assert [section.file_stem for section in sections] == [
        "one_to_one_packet_sizes",
        "one_to_one_packet_sizes_n150_noc_1",
        "one_to_one_packet_sizes_n300",
    ]


@pytest.mark.usefixtures("published_tests")
@pytest.mark.parametrize("test", ["All to All Packet Sizes", "All from All Packet Sizes"])
def test_both_starts_are_on_the_page(test: str, tmp_path: Path) -> None:
    skewed, together, narrow = (
        rows[rows["test"] == test]
        for rows in (
            make_results(),
            make_results(params="start=together"),
            make_results(params="board.launch_skew_cycles=100"),
        )
    )
    sections = sections_of(pandas.concat([together, skewed, narrow]), make_reference(skewed))
    assert [section.launch_skew_cycles for section in sections["wormhole_b0"]] == [4600, 100, 0]
    assert [len(section.reference) for section in sections["wormhole_b0"]] == [len(skewed), len(skewed), 0]
    assert sections["wormhole_b0"][2].results["error_percent"].isna().all()

    page_path, _ = write_pages(pages_of(sections), tmp_path)
    page = page_path.read_text()
    leads = re.findall(r"(?<= )(?:All|The) cores start [^.]+\.(?: This interval was fitted for this board\.)?", page)
    assert leads == [
        "The cores start one after another, 4,600 cycles apart. This interval was fitted for this board.",
        "The cores start one after another, 100 cycles apart.",
        "All cores start together.",
    ]
    slower = (
        "With `start=together`, a core takes 1.00 times as long as with the default start, in which the cores start "
    )
    assert page.count(f"{slower}4,600 cycles apart.") == 1
    assert (page_path.parent / f"{sections['wormhole_b0'][2].file_stem}.svg").is_file()


def test_tests_without_a_choice_of_start_have_none() -> None:
    (section,) = sections_of(make_frame(), sample_reference())["wormhole_b0"]
    assert section.start == ""


def test_shortened_points_are_marked(tmp_path: Path) -> None:
    results = pandas.concat(
        [
            make_frame(counts=(1, 4)),
            make_frame(counts=(16,), params="simulated_transactions=4"),
            make_frame(counts=(64,), params="simulated_transactions=8;steady=0"),
        ]
    )
    (section,) = sections_of(results, make_reference(results))["wormhole_b0"]
    assert (section.title, section.params) == ("One to One Packet Sizes", "")
    write_pages(pages_of({"wormhole_b0": [section]}), tmp_path)
    page = (tmp_path / "wormhole_b0" / "README.md").read_text()
    assert "| Sender | 16 (4 simulated) | 512 B | 652 |" in page
    assert "| Sender | 4 | 512 B | " in page
    assert re.search(r"\| Sender \| 64 \(8 simulated, not steady\) \| 512 B \| \d+ \|", page)
    assert "Of these 20 points, 10 are shortened (docs/results.md). nocbench simulates " in page
    assert " 5 of the shortened points are not steady, so their predictions are rough.\n" in page


def test_an_index_keeps_the_pages_of_other_architectures(tmp_path: Path) -> None:
    write(tmp_path)
    write_pages(pages_of(sections_of(make_frame(), sample_reference())), tmp_path)
    assert "[blackhole](blackhole/README.md)" in (tmp_path / "README.md").read_text()


def test_measurements_from_elsewhere_can_be_plotted(tmp_path: Path) -> None:
    measured = make_reference(make_frame(test="A test of ours"))
    pages = write_pages(pages_of(sections_of(measured, sample_reference())), tmp_path)
    assert pages == [tmp_path / "wormhole_b0" / "README.md", tmp_path / "README.md"]


def test_an_unknown_architecture() -> None:
    with pytest.raises(InputError) as error:
        sections_of(make_frame(arch="wormhole"), sample_reference())
    assert str(error.value) == "no architecture is called 'wormhole'; did you mean 'wormhole_b0'?"


def test_a_kernel_without_results() -> None:
    results = make_frame(kernel="Receiver", test="DRAM Interleaved Packet Sizes")
    with pytest.raises(InputError) as error:
        sections_of(results, sample_reference())
    assert str(error.value) == (
        "the results of 'DRAM Interleaved Packet Sizes' on wormhole_b0 have no rows of the kernel 'Sender'"
    )


def test_the_index_has_the_accuracy_by_family(tmp_path: Path) -> None:
    results, reference = make_frame(), make_reference(make_frame())
    pages = pages_of(sections_of(results, reference))
    compared = compared_tables(results, reference)
    summary = accuracy_summary(compared)
    *_, index = write_pages(pages, tmp_path, compared=compared)
    text = index.read_text()
    assert f"There are {summary.total.points} published measurements of " in text
    rows = [row for table in tables_of(text) for row in table if row[0].strip() in ("all", "`one_to_one`")]
    assert [row[1].strip() for row in rows] == [
        str(summary.total.points),  # of the table by group
        str(next(family.points for family in summary.families if family.family == "one_to_one")),
        str(summary.total.points),
    ]
    assert "[![Model against silicon: errors of all published latencies](accuracy.svg)](accuracy.svg)" in text
    *_, index = write_pages(pages, tmp_path)
    assert "Accuracy" not in index.read_text()
