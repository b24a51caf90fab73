"""Axes, lines and panels of pictures of tests that sweep parameters."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy
import pytest
from sample import make_reference, make_row

from nocbench.pages.families import with_own_pictures
from nocbench.pages.picture_axes import axes_of, combinations
from nocbench.pages.plots import draw, picture_in_words
from nocbench.pages.sections import sections_of
from nocbench.pages.tables.value_tables import table_of_values
from nocbench.points.swept_tests import TRANSACTION_SIZES, list_tests
from nocbench.results.result_files import to_frame

if TYPE_CHECKING:
    from types import ModuleType

    from nocbench.pages.sections import Section
    from nocbench.points.swept_tests import SweptTest

TEST = "Swept"


@pytest.fixture
def swept(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Gives the fake simulator a test that sweeps parameters, and whose pictures show transaction sizes."""
    monkeypatch.setattr(fake_simulator, "TESTS", {**fake_simulator.TESTS, TEST: (900, "one_to_one", ["Sender"])})

    def with_sizes(arch: str) -> list[SweptTest]:
        return [replace(test, picture=TRANSACTION_SIZES) for test in list_tests(arch)]

    monkeypatch.setattr("nocbench.points.swept_tests.list_tests", with_sizes)
    return fake_simulator


def make_section(
    stand_in: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    parameters: dict[str, list[str]],
    counts: tuple[int, ...] = (256,),
    sizes: tuple[int, ...] = (2048,),
    bytes_of: str = "",
) -> Section:
    """Returns the section of a sweep; `bytes_of` names a parameter that multiplies a transaction's bytes."""
    monkeypatch.setattr(stand_in, "SWEPT", {TEST: {"full": parameters, "quick": parameters}})
    rows = []
    for values in product(*parameters.values()):
        named = dict(zip(parameters, values, strict=True))
        for count, size in product(counts, sizes):
            factor = int(named.get(bytes_of, 1))
            rows.append(
                make_row(
                    test=TEST, test_id=900, num_transactions=count, transaction_size_bytes=size * factor,
                    call_size_bytes=size, latency_cycles=300.0 + count * size / 32,
                    params=";".join(f"{name}={value}" for name, value in named.items()),
                )
            )  # fmt: skip
    results = to_frame(rows)
    (section,) = sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"]
    return section


@pytest.mark.parametrize(
    ("parameters", "more", "along", "lines", "panels"),
    [
        # Sizes are on the axis, numbers of transactions are lines, and parameters are panels.
        ({"grid": ["2x2", "all"]}, {"counts": (1, 4), "sizes": (32, 64)}, "transaction_size_bytes",
         ("num_transactions",), ("grid",)),
        # A few value combinations are lines. Of many, only the parameter with the most values is.
        ({"noc": ["0", "1"], "vcs": ["1", "2"]}, {"sizes": (32, 64)}, "transaction_size_bytes", ("noc", "vcs"), ()),
        ({"noc": ["0", "1"], "vcs": ["1", "2", "3", "4"]}, {"sizes": (32, 64)}, "transaction_size_bytes",
         ("vcs",), ("noc",)),
        # With a single size, the axis has numbers of transactions, or the parameter with more values, or the parameter
        # that determines the size.
        ({"stateful": ["0", "1"]}, {"counts": (1, 2, 4)}, "num_transactions", ("stateful",), ()),
        ({"increment": ["1", "2", "3"]}, {"counts": (1, 2)}, "increment", ("num_transactions",), ()),
        ({"banks": ["1", "2"]}, {"counts": (1, 4, 16), "bytes_of": "banks"}, "banks", ("num_transactions",), ()),
        # Coordinates of a core are two numbers.
        ({"source": [f"{x},{y}" for x in range(4) for y in range(3)]}, {}, "source x", ("source y",), ()),
        # Parameters with a single value, or determined by another one, are neither axis, lines nor panels.
        ({"grid": ["2x2"]}, {"counts": (1, 4), "sizes": (32, 64)}, "transaction_size_bytes", ("num_transactions",), ()),
    ],
)  # fmt: skip
def test_what_is_where(
    swept: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    parameters: dict[str, list[str]],
    more: dict[str, object],
    along: str,
    lines: tuple[str, ...],
    panels: tuple[str, ...],
) -> None:
    section = make_section(swept, monkeypatch, parameters, **more)  # type: ignore[arg-type]
    axes = axes_of(section)
    assert axes is not None
    assert (axes.along, axes.lines, axes.panels) == (along, lines, panels)
    places = axes.results[["kernel", *axes.panels, *axes.lines, axes.along]]
    assert not places.duplicated().any(), "no two rows are at one place of one line"
    figure = draw(section)
    assert len(figure.axes) == 2 * len(combinations(panels, axes.results))
    with_points = [line for line in figure.axes[0].get_lines() if len(line.get_xydata())]  # type: ignore[arg-type]
    assert len(with_points) == len(combinations(lines, axes.results))


def test_two_values_alone_are_bars(swept: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    section = make_section(swept, monkeypatch, {"noc": ["0", "1"]})
    assert axes_of(section) is None
    assert picture_in_words(section) == "Duration and Bandwidth"
    assert [text.get_text() for text in draw(section).axes[0].texts] == [
        "Sender, noc 0: 16,684 cycles",
        "Sender, noc 1: 16,684 cycles",
    ]
    assert with_own_pictures([section]) == [section]


def test_a_single_point_has_no_picture(swept: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    single = make_section(swept, monkeypatch, {"noc": ["0"]})
    assert with_own_pictures([single]) == []


def test_the_table_names_what_varies(swept: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    section = make_section(swept, monkeypatch, {"noc": ["0", "1"], "vcs": ["1", "2"], "grid": ["2x2"]})
    columns, rows = table_of_values(section)
    assert list(columns)[:5] == ["kernel", "noc", "vcs", "transactions", "size"]
    assert [row[:4] for row in rows] == [["Sender", noc, vcs, "256"] for noc in "01" for vcs in "12"]


def test_increments_are_counted(swept: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    section = make_section(swept, monkeypatch, {"increment": ["1", "2", "3"]}, counts=(16, 32), sizes=(4,))
    figure = draw(section)
    rates = figure.axes[1]
    assert rates.get_ylabel() == "Rate (increments/cycle)"
    of_results = section.results["bandwidth_bytes_per_cycle"] / 4
    drawn = [point[1] for line in rates.get_lines() for point in numpy.asarray(line.get_xydata()).tolist()]
    assert sorted(drawn) == pytest.approx(sorted(of_results))
    columns, rows = table_of_values(section)
    assert "rate, increments/cycle" in columns
    assert float(rows[0][list(columns).index("rate, increments/cycle")]) == pytest.approx(of_results.iloc[0], rel=0.01)
