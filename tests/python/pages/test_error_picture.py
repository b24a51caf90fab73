"""Picture of all errors over latency."""

from __future__ import annotations

import numpy
import pytest

from nocbench.pages.index.error_picture import error_picture
from nocbench.published.accuracy_tables import ComparedRow, ComparedTable

ONE, MANY = "One to One Packet Sizes", "All to All Packet Sizes"


def table(arch: str, test: str, *rows: tuple[float, float], num_cores: int = 1) -> ComparedTable:
    """Returns a table with modeled and published latencies."""
    compared = tuple(ComparedRow(modeled, published, is_fitted=False) for modeled, published in rows)
    return ComparedTable(arch, test, "Sender", "", "", compared, 0, num_cores=num_cores)


@pytest.mark.usefixtures("fake_simulator")
def test_a_point_for_each_published_latency() -> None:
    picture = error_picture(
        [
            table("wormhole_b0", ONE, (110.0, 100.0), (900.0, 1000.0)),
            table("wormhole_b0", MANY, (1.5e6, 1e6), num_cores=64),
            table("blackhole", ONE, (300.0, 300.0)),
        ]
    )
    assert picture is not None
    assert picture.file_stem == "accuracy"
    figure = picture.draw()
    wormhole, blackhole = figure.axes
    assert [axes.get_title() for axes in figure.axes] == ["wormhole_b0", "blackhole"]
    few, many = (numpy.asarray(patch.get_path().vertices) for patch in wormhole.patches)
    assert few[::2].tolist() == [[100, pytest.approx(10)], [1000, pytest.approx(-10)]]
    assert many[::2].tolist() == [[1e6, pytest.approx(50)]]
    assert wormhole.patches[0].get_edgecolor() != wormhole.patches[1].get_edgecolor()
    assert wormhole.patches[0].get_edgecolor() == blackhole.patches[0].get_edgecolor()
    assert wormhole.get_ylim() == blackhole.get_ylim() == (-60, 60)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["uncontended", "many cores"]


@pytest.mark.usefixtures("fake_simulator")
def test_nothing_was_compared() -> None:
    assert error_picture([]) is None
    assert error_picture([table("wormhole_b0", ONE)]) is None
