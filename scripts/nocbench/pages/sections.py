"""Sections of a page: results and published measurements of a test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

from nocbench.architectures.description import describe_architecture
from nocbench.architectures.files import require_architecture
from nocbench.architectures.machines_of_rows import machine_of_row
from nocbench.pages.kept_parts import kept_value
from nocbench.points.catalogue import BUILT_IN, in_use
from nocbench.points.peaks import theoretical_of
from nocbench.points.swept_tests import SKEWED, TRANSACTION_SIZES, SweptTest, start_of, starts_as_published
from nocbench.published.accuracy_tables import match, with_variants
from nocbench.published.alignment import align
from nocbench.results.result_files import rows_of
from nocbench.support.columns import VARIANT_KEY, changed_values, without_values
from nocbench.support.errors import InputError
from nocbench.support.units import slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas

    from nocbench.architectures.description import Architecture
    from nocbench.published.alignment import Alignment

_INCREMENT = "increment"
"""Parameter of tests whose transactions are atomic increments."""

_ORDER_OF_PUBLISHED = ["kernel", "num_transactions", "transaction_size_bytes"]


ALL_PARAMS = "all_params"
"""Column of a section's results with the text of the results' column `params`, swept parameters included."""


class Rate(NamedTuple):
    """A unit of work per cycle.

    Attributes:
        title: name, as on an axis.
        unit: name of the unit.
        bytes_each: bytes in results per unit of work.
    """

    title: str
    unit: str
    bytes_each: int


BANDWIDTH = Rate("Bandwidth", "B/cycle", 1)
INCREMENTS = Rate("Rate", "increments/cycle", 4)  # bytes of a word


@dataclass(frozen=True, eq=False)
class Section:
    """A test on an architecture, with one board and one set of parameters.

    Attributes:
        architecture: the architecture, with its default board.
        test: published name.
        variant: label that tells this section from others of the same test, or empty: "n300, noc=1".
        board, params: configuration of the results; empty where they have none.
        headings: place of the section on the page, from the topmost heading down.
        primitive: the folder of the primitive, or empty if this revision knows no such test.
        description: a sentence or two on the test, or empty.
        link_bytes_per_cycle: bandwidth of a link with this board and these parameters.
        theoretical_of_kernels: highest possible bandwidth of a row in bytes per cycle, by kernel: that of a link; or,
            if rows add up many cores, that of all their links.
        kernels: labels of the kernels, in order.
        results: result rows with `reference_latency_cycles` and `error_percent` (NaN where nothing was published), by
            kernel, number of transactions and size; with a column for each parameter that the test sweeps, too, and
            then in the order of the run within that; and with :data:`ALL_PARAMS`.
        reference: published measurements of the test, likewise, counting bytes as results do.
        varied: swept parameters with several values in the rows, as columns of both.
        picture: kind of picture, as in :class:`nocbench.points.swept_tests.SweptTest`.
        plotted: for a picture of parameters, the parameter along the axis and that of the lines.
        rate: replaces bytes per cycle in pictures.
        are_flows: True if its rows are of flows, and not of kernels.
        start: how the cores start, as in the parameter `start`; empty if the test offers no choice.
        launch_skew_cycles: delay between starts of successive cores; 0 if they do not start one after another.
        file_stem: name of the picture, without suffix, unique within the architecture.
    """

    architecture: Architecture
    test: str
    variant: str
    board: str
    params: str
    headings: tuple[str, ...]
    primitive: str
    description: str
    link_bytes_per_cycle: float
    theoretical_of_kernels: Mapping[str, float]
    kernels: tuple[str, ...]
    results: pandas.DataFrame
    reference: pandas.DataFrame
    picture: str = TRANSACTION_SIZES
    plotted: tuple[str, ...] = ()
    varied: tuple[str, ...] = ()
    rate: Rate = BANDWIDTH
    are_flows: bool = False
    start: str = ""
    launch_skew_cycles: int = 0
    file_stem: str = ""

    @property
    def arch(self) -> str:
        """Name of the architecture."""
        return self.architecture.name

    @property
    def theoretical_bytes_per_cycle(self) -> float:
        """Highest bandwidth that any row can have, in bytes per cycle."""
        return max(self.theoretical_of_kernels.values())

    @property
    def counts_together(self) -> bool:
        """True if a row adds up many cores."""
        return self.theoretical_bytes_per_cycle != self.link_bytes_per_cycle

    @property
    def title(self) -> str:
        """Heading of the section."""
        return f"{self.test} ({self.variant})" if self.variant else self.test

    @property
    def changed(self) -> dict[str, str]:
        """Values that differ from the defaults: parameters of the test and settings of the board, by name."""
        return changed_values(self.params)


def sections_of(results: pandas.DataFrame, reference: pandas.DataFrame) -> dict[str, list[Section]]:
    """Returns the sections of results by architecture, ordered by test id, then in the order of the results.

    Raises:
        InputError: an architecture that this revision does not know, or a published kernel without any result.
    """
    results = with_variants(results)
    results = results.assign(**{ALL_PARAMS: results["params"]})
    if "revision" in results:
        results["revision"] = ""  # of no page
    results, reference = _with_plain_texts(results), _with_plain_texts(reference)
    for arch in results["arch"].drop_duplicates():
        require_architecture(arch)
    published = dict(iter(reference.groupby(["arch", "test"])))
    sections: dict[str, list[Section]] = {}
    for arch, of_arch in {str(arch): rows for arch, rows in results.groupby("arch")}.items():
        by_test = {str(name): rows for name, rows in of_arch.groupby("test", sort=False)}
        known = {test.test: test for test in in_use().list_tests(arch)}
        architecture = describe_architecture(arch)
        names = sorted(by_test, key=lambda name: known[name].test_id if name in known else len(known) + 10**6)
        sections[arch] = _with_files(
            section
            for name in names
            for section in kept_value(
                _sections_of_test,
                architecture,
                by_test[name].reset_index(drop=True),
                published.get((arch, name), reference.iloc[:0]),
                known.get(name),
            )
        )
    return sections


def _with_plain_texts(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Returns a frame with strings of Python, which make the many small frames of sections twice as fast."""
    return frame.astype(dict.fromkeys(frame.select_dtypes("str"), object))


def _sections_of_test(
    architecture: Architecture, rows: pandas.DataFrame, published: pandas.DataFrame, test: SweptTest | None
) -> list[Section]:
    default_board = (test.board if test else "") or architecture.default_board
    variants = _variants(_with_swept_parameters(rows, test), default_board)
    return [_section(architecture, variant, of_variant, published, test) for variant, of_variant in variants]


def _with_files(sections: Iterable[Section]) -> list[Section]:
    """Names the pictures.

    Titles may differ only in characters that file names leave out, or consist of such characters.
    """
    stems: dict[str, Section] = {}
    for section in sections:
        stem = slug(section.title) or "unnamed"
        numbered = (f"{stem}_{number}" for number in count(2))
        stem = next(name for name in chain([stem], numbered) if name not in stems)
        stems[stem] = replace(section, file_stem=stem)
    return list(stems.values())


def _with_swept_parameters(rows: pandas.DataFrame, test: SweptTest | None) -> pandas.DataFrame:
    """Moves the values of swept parameters from the column `params` to columns of their own."""
    if test is None or not test.swept_parameters:
        return rows
    names = test.plotted or test.swept_parameters
    values = [changed_values(params) for params in rows["params"]]
    return rows.assign(
        **{name: [_value_of(test, name, of_row) for of_row in values] for name in names},
        params=[without_values(params, names) for params in rows["params"]],
    )


def _value_of(test: SweptTest, name: str, of_row: Mapping[str, str]) -> str | int:
    """Returns the value of a swept parameter; a number if it is to be along an axis."""
    return int(of_row.get(name, 0)) if name in test.plotted else of_row.get(name, "")


def _variants(rows: pandas.DataFrame, default_board: str) -> list[tuple[str, pandas.DataFrame]]:
    """Returns the results of a test by label, one entry per board and parameters.

    The default configuration comes first and has no label, so that the name of its picture does not depend on other
    runs.
    """
    groups = [([str(part) for part in key], group) for key, group in rows.groupby(VARIANT_KEY)]
    if len(groups) == 1:
        return [("", groups[0][1])]
    variants = [
        ("" if key == [default_board, ""] else ", ".join(part for part in key if part) or "unknown board", group)
        for key, group in groups
    ]
    return sorted(variants, key=lambda variant: variant[0] != "")


def _section(
    architecture: Architecture,
    variant: str,
    rows: pandas.DataFrame,
    published: pandas.DataFrame,
    test: SweptTest | None,
) -> Section:
    name, arch = rows["test"].iloc[0], architecture.name
    params = rows["params"].iloc[0]
    if not starts_as_published(params, test):
        published = published.iloc[:0]
    alignment = align(published, rows, test)
    plotted = test.plotted if test else ()
    swept = tuple(name for name in (test.swept_parameters if test else ()) if name in rows.columns)
    reference = _with_parameters(alignment, rows, plotted or swept, results_only=bool(plotted))
    kernels = tuple(sorted(rows["kernel"].unique()))
    for kernel in reference["kernel"].unique():
        if kernel not in kernels:
            raise InputError(f"the results of '{name}' on {arch} have no rows of the kernel '{kernel}'")
    # Order of lines, then along the axis.
    order = ["kernel", *reversed(plotted), "num_transactions", "transaction_size_bytes"]
    board = rows["board"].iloc[0]
    return Section(
        architecture=architecture,
        test=name,
        variant=variant,
        board=board,
        params=params,
        headings=test.headings if test else (name,),
        primitive=test.primitive if test and in_use() is BUILT_IN else "",
        description=test.description if test else "",
        link_bytes_per_cycle=machine_of_row(arch, board, params).link_bytes_per_cycle,
        theoretical_of_kernels={row["kernel"]: theoretical_of(row) for row in rows_of(rows.drop_duplicates("kernel"))},
        kernels=kernels,
        results=_with_plain_texts(match(rows, published, alignment)).sort_values(
            order, kind="stable", ignore_index=True
        ),
        reference=_with_plain_texts(reference).sort_values(_ORDER_OF_PUBLISHED, ignore_index=True),
        picture=test.picture if test else TRANSACTION_SIZES,
        plotted=plotted,
        varied=tuple(name for name in plotted or swept if rows[name].nunique() > 1),
        rate=INCREMENTS if test and _INCREMENT in {parameter.name for parameter in test.parameters} else BANDWIDTH,
        are_flows=in_use().adds_up_cores(name, test.primitive if test else ""),
        start=start_of(params, test),
        launch_skew_cycles=_launch_skew_cycles(arch, board, params, test),
    )


def _with_parameters(
    alignment: Alignment, rows: pandas.DataFrame, names: Sequence[str], *, results_only: bool
) -> pandas.DataFrame:
    """Returns a section's published rows with columns for parameters, whose values have the spelling in results.

    Args:
        alignment: alignment of the published rows with `rows`.
        rows: results.
        names: parameters.
        results_only: True to leave out published rows without a result, which have no position on the picture's axes.
    """
    examples = [
        example if places or not results_only else None
        for example, places in zip(alignment.examples, alignment.positions, strict=True)
    ]
    shown = [example for example in examples if example is not None]
    return alignment.rows.loc[[example is not None for example in examples]].assign(
        **{name: rows[name].iloc[shown].tolist() for name in names}
    )


def _launch_skew_cycles(arch: str, board: str, params: str, test: SweptTest | None) -> int:
    return machine_of_row(arch, board, params).launch_skew_cycles if start_of(params, test) == SKEWED else 0
