"""Pictures of kept results: published values have the unit of the model, and all texts are readable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from nocbench.drawing.pictures import fixed_style
from nocbench.pages.families import with_own_pictures
from nocbench.pages.page_files import pages_of
from nocbench.pages.picture_axes import axes_of
from nocbench.pages.plots import draw
from nocbench.pages.sections import sections_of
from nocbench.published.alignment import align, known_tests
from nocbench.published.reference import read_reference
from nocbench.published.reference_files import reference_file
from nocbench.results.result_files import read_results
from nocbench.support.columns import changed_values
from nocbench.support.revision import checkout

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.sections import Section

_MEDIAN_OF_CORES_SHARE = 0.07  # difference between median bandwidth and bandwidth at the median duration


@pytest.fixture(scope="module")
def results() -> pandas.DataFrame:
    directory = checkout()
    assert directory is not None
    return read_results(directory / "plots" / "results" / "full_tier.parquet")


@pytest.fixture(scope="module")
def reference() -> pandas.DataFrame:
    return read_reference()


@pytest.fixture(scope="module")
def sections(results: pandas.DataFrame, reference: pandas.DataFrame) -> list[Section]:
    return [section for of_arch in sections_of(results, reference).values() for section in of_arch]


def test_published_bandwidths_are_of_the_bytes_of_results(sections: list[Section], reference: pandas.DataFrame) -> None:
    num_compared = 0
    for section in sections:
        rows = section.results.dropna(subset="reference_latency_cycles")
        if rows.empty:
            continue
        of_test = reference[(reference["arch"] == section.arch) & (reference["test"] == section.test)]
        named = {changed_values(params).get("num_cores") for params in of_test["params"]}
        num_cores = int(named.pop() or 0) if section.counts_together and len(named) == 1 else 0
        published = rows["reference_bandwidth_bytes_per_cycle"] * rows["reference_latency_cycles"]
        modeled = rows["bandwidth_bytes_per_cycle"] * rows["latency_cycles"]
        share = num_cores / rows["num_cores"] if num_cores else 1.0
        ratios = published / modeled / share
        assert ratios.between(1 - _MEDIAN_OF_CORES_SHARE, 1 + _MEDIAN_OF_CORES_SHARE).all(), section.title
        num_compared += len(rows)
    assert num_compared > 3000


def test_bandwidths_of_all_cores_are_those_that_were_published(results: pandas.DataFrame) -> None:
    file = reference_file("tenstorrent_silicon_2026_08.csv")
    raw, published = pandas.read_csv(file), read_reference([file])
    combined = raw["combined_bandwidth_bytes_per_cycle"]
    assert combined.notna().sum() == 240
    for (arch, test), rows in published[combined.notna()].groupby(["arch", "test"]):
        of_test = results[(results["arch"] == arch) & (results["test"] == test)].reset_index(drop=True)
        aligned = align(rows, of_test, known_tests(str(arch))[str(test)])
        assert all(aligned.positions)
        assert aligned.rows["bandwidth_bytes_per_cycle"].to_numpy() == pytest.approx(combined[rows.index].to_numpy())


def test_pictures_show_more_than_one_place(sections: list[Section]) -> None:
    for section in with_own_pictures(sections):
        axes = axes_of(section)
        if axes is not None:
            assert axes.results[axes.along].nunique() >= 2, section.title
            assert not axes.results.duplicated(["kernel", *axes.panels, *axes.lines, axes.along]).any(), section.title
        else:
            assert len(section.results) > len(section.kernels), section.title


def shown_labels(axes: Axes) -> list[list[Text]]:
    """Returns the visible tick labels of each axis that has ticks."""
    of_axes = []
    for axis, (least, most) in ((axes.xaxis, sorted(axes.get_xlim())), (axes.yaxis, sorted(axes.get_ylim()))):
        ticks = [
            *zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=True),
            *zip(axis.get_minorticklocs(), axis.get_minorticklabels(), strict=True),
        ]
        if ticks:
            of_axes.append([label for at, label in ticks if least <= at <= most and label.get_text()])
    return of_axes


def check_readable(figure: Figure) -> None:
    """Checks that every axis has at least two labels, and that all texts and legends are within the figure."""
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    figure.draw(renderer)
    whole = figure.bbox
    artists: list[Artist] = [*figure.legends, *figure.texts]
    for axes in figure.axes:
        if axes.axison:
            labels = shown_labels(axes)
            assert all(len(of_axis) >= 2 for of_axis in labels), axes.get_title()
            artists += [axes.xaxis.label, axes.yaxis.label, axes.title, *(text for of in labels for text in of)]
    for artist in artists:
        if not isinstance(artist, Text) or artist.get_text():
            box = artist.get_window_extent(renderer)
            assert box.x0 >= whole.x0, artist
            assert box.y0 >= whole.y0, artist
            assert box.x1 <= whole.x1, artist
            assert box.y1 <= whole.y1, artist


def test_what_pictures_show_can_be_read(sections: list[Section]) -> None:
    """Covers one picture of each kind of axes, lines and panels, and the most crowded ones."""
    of_kind: dict[object, Section] = {}
    for section in sorted(with_own_pictures(sections), key=lambda section: len(section.title), reverse=True):
        axes = axes_of(section)
        kind = axes and (axes.along, axes.lines, axes.panels, section.rate, len(section.kernels))
        is_narrow = section.results["latency_cycles"].max() < 10 * section.results["latency_cycles"].min()
        of_kind.setdefault((section.picture, kind, is_narrow, section.results["num_transactions"].nunique()), section)
    assert len(of_kind) >= 20
    with fixed_style():
        for section in of_kind.values():
            check_readable(draw(section))


def test_other_pictures_can_be_read(results: pandas.DataFrame, reference: pandas.DataFrame) -> None:
    """Covers machines whose pages do not consist of sections."""
    drawn = 0
    rows = results[results["arch"].isin(["epiphany_iii", "etherbone"])]
    for page in pages_of(sections_of(rows, reference)):
        for picture in page.pictures:
            with fixed_style():
                check_readable(picture.draw())
            drawn += 1
    assert drawn >= 20
