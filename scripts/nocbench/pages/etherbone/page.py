"""The page of Etherbone: numbers of the document beside the model's, and the document's figures redrawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from nocbench.pages.epiphany.blocks import LEFT, NOTHING, RIGHT, Block, Table, blocks_page, signed_percent
from nocbench.pages.etherbone.figures import figure_blocks
from nocbench.pages.origins import medians_in_words
from nocbench.points.selection import select_one_point
from nocbench.published import cycle_times as tests
from nocbench.published.cycle_times import CycleTimes
from nocbench.published.fitted_rows import constants_of_rows, how_earned, read_table
from nocbench.published.latch_unit import ARCHITECTURE, compared_latch_rows, latch_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.drawing.pictures import Page
    from nocbench.pages.sections import Section

_SCU3_PCIE = f"{tests.TIMESTAMPS} SCU3 PCIe"
_NUMBERS = "etherbone/timestamps_2018_02.csv"


class _Range(NamedTuple):
    """The model's value for a number in the document, and the range, `low` to `high`, that counts as agreement."""

    low: float
    high: float
    modeled: float | None
    unit: str = ""

    def cells(self) -> list[str]:
        if self.modeled is None:
            return [NOTHING, NOTHING]
        within = "yes" if self.low <= self.modeled <= self.high else "no"
        return [f"{self.modeled:.4g} {self.unit}".strip(), within]


_LAYERS = {
    "issue": "library",
    "host": "system calls",
    "driver": "driver or network stack",
    "round_trip": "path, and reads of single words",
    "link": "wire",
    "bus": "bus and its devices",
}
"""Causes of waits, with the page's words for them, in the order in which a message meets them."""
_LAYER_POINTS = (
    ("SCU3 PCIe", tests.BLOCKING, 1),
    ("SCU3 PCIe", tests.PIPELINED, 8),
    ("SCU3 GigE", tests.BLOCKING, 1),
    ("SCU3 GigE", tests.PIPELINED, 8),
    ("Exploder USB", tests.BLOCKING, 1),
    ("Exploder USB", tests.PIPELINED, 8),
    ("RIO4 VME", tests.BLOCKING, 1),
)


def etherbone_page(arch: str, sections: Sequence[Section]) -> Page:
    """Returns the page, made from the sections on hosts and bridges."""
    of_tests = {section.test: section.results for section in sections if not section.params and not section.variant}
    times = CycleTimes(arch, of_tests)
    blocks = [_numbers(times), _latch_unit(times), _layers(times), *figure_blocks(times), _contradictions()]
    return blocks_page(arch, "etherbone.md.j2", [block for block in blocks if block is not None], arch=arch)


def _ratio(upper: float | None, lower: float | None) -> float | None:
    return None if upper is None or lower is None else upper / lower


def _numbers(times: CycleTimes) -> Block:
    ranges = _ranges(times)
    block = Block("Numbers of the document")
    block.parts.append(
        "The table compares the numbers in the text of the document with the model. The column *within* tells whether "
        "the modeled number is in a range around the number of the document. The range is the scatter that the "
        "document states: 10 % for PCIe and USB, and up to 20 % for GigE. If the document contradicts itself, the "
        "range reaches from its lowest to its highest number. Two constants of the host SCU3 determine all blocking "
        "times of this host by PCIe. The time to read a word is half of the spacing, which is the interval between two "
        "timestamps of a cycle. The time of the driver follows from the row of the latch unit below. The spacing by "
        "GigE is the time of two words of 4 bytes at 8 ns per byte. By GigE, cycles of eight are not slower than by "
        "PCIe: the other numbers of the document say so, too (last table of this page)."
    )
    block.parts.append(
        Table(
            {"": LEFT, "document": RIGHT, "model": RIGHT, "within": LEFT, "published row": LEFT},
            [
                [row["number"], row["document"], *ranges[row["number"]].cells(), how_earned(constants)]
                for row, constants in zip(read_table(_NUMBERS), constants_of_rows(ARCHITECTURE, _NUMBERS), strict=True)
            ],
        )
    )
    return block


def _ranges(times: CycleTimes) -> dict[str, _Range]:
    """Returns the ranges, by name of the number in the published table."""
    blocking = times.per_timestamp(_SCU3_PCIE, method=tests.BLOCKING)
    pipelined = times.per_timestamp(_SCU3_PCIE, method=tests.PIPELINED)
    rates = {number: 1000 / time for number, time in blocking.items()}
    return {
        "PCIe, blocking, 1 in a cycle: time for a timestamp": _Range(24, 28.6, blocking.get(1), "µs"),
        "PCIe, blocking, 1 in a cycle: rate": _Range(35, 41.7, rates.get(1), "kHz"),
        "PCIe, blocking, 1 in a cycle: throughput": _Range(2.25, 2.75, _throughput(blocking.get(1)), "Mbit/s"),
        **{
            f"PCIe, blocking, {number} in a cycle: time for a timestamp": _Range(0, 10, blocking.get(number), "µs")
            for number in (5, 8)
        },
        **{
            f"PCIe, blocking, {number} in a cycle: rate": _Range(90, 125, rates.get(number), "kHz") for number in (5, 8)
        },
        "PCIe, blocking, 8 in a cycle: throughput": _Range(5.6, 8.4, _throughput(blocking.get(8)), "Mbit/s"),
        **{
            f"PCIe, gain of pipelining, {number} in a cycle": _Range(
                25, 38, _gain_percent(blocking.get(number), pipelined.get(number)), "%"
            )
            for number in (7, 8)
        },
        "PCIe, spacing within a cycle": _Range(5850, 6090, _spacing(times, "SCU3 PCIe"), "ns"),
        "GigE, spacing within a cycle": _Range(62.7, 65.3, _spacing(times, "SCU3 GigE"), "ns"),
        **{
            f"{title}, blocking: time of a cycle of 8 over one of 1": _Range(0.9, 1.1, _cycle_ratio(times, title))
            for title in ("SCU3 GigE", "Exploder GigE", "Exploder USB")
        },
        "pipelined, 8 in a cycle: USB over GigE (Exploder)": _Range(
            1, math.inf, _ratio(_pipelined(times, "Exploder USB"), _pipelined(times, "Exploder GigE"))
        ),
        "pipelined, 8 in a cycle: PCIe (SCU3) over USB (Exploder)": _Range(
            1, math.inf, _ratio(_pipelined(times, "SCU3 PCIe"), _pipelined(times, "Exploder USB"))
        ),
        **{
            f"blocking, {number} in a cycle: {bridge} ({host}) over PCIe (SCU3)": _Range(
                1,
                math.inf,
                _ratio(
                    times.per_timestamp(f"{tests.TIMESTAMPS} {host} {bridge}", method=tests.BLOCKING).get(number),
                    blocking.get(number),
                ),
            )
            for number in (1, 8)
            for host, bridge in (("SCU3", "GigE"), ("Exploder", "GigE"), ("Exploder", "USB"))
        },
    }


def _throughput(microseconds: float | None) -> float | None:
    return None if microseconds is None else 64 / microseconds


def _gain_percent(blocking: float | None, pipelined: float | None) -> float | None:
    return None if blocking is None or pipelined is None else 100 * (blocking / pipelined - 1)


def _pipelined(times: CycleTimes, title: str) -> float | None:
    return times.per_timestamp(f"{tests.TIMESTAMPS} {title}", method=tests.PIPELINED).get(8)


def _spacing(times: CycleTimes, title: str) -> float | None:
    """Returns the spacing in ns. A cycle of eight timestamps has seven spaces."""
    spacing = times.per_timestamp(f"{tests.SPACING} {title}").get(7)
    return None if spacing is None else 1000 * spacing


def _cycle_ratio(times: CycleTimes, title: str) -> float | None:
    measured = times.per_timestamp(f"{tests.TIMESTAMPS} {title}", method=tests.BLOCKING)
    return None if not {1, 8} <= measured.keys() else 8 * measured[8] / measured[1]


def _latch_unit(times: CycleTimes) -> Block:
    rows = []
    for latch in latch_rows():
        modeled = latch.modeled(times)
        difference = None if modeled is None else 100 * (modeled - latch.microseconds) / latch.microseconds
        rows.append(
            [latch.name, str(latch.year), f"{latch.microseconds:.1f}",
             NOTHING if modeled is None else f"{modeled:.1f}", signed_percent(difference), how_earned(latch.constants)]
        )  # fmt: skip
    block = Block("Cycles of the latch unit")
    block.parts.append(
        "The table shows the time of a blocking cycle of three reads and one write. A row is no prediction if a "
        "constant was fitted to it. `scripts/studies/fit_etherbone.py` makes these fits. The row of T5810 USB only "
        "shows that a cycle waits for two interrupts. In the model, a cycle waits for two interrupts if the latency of "
        "USB is from 15 to 26 µs. The modeled time of 80.0 µs is two documented intervals of 40 µs."
    )
    block.parts.append(
        Table(
            {"": LEFT, "year": RIGHT, "document, µs": RIGHT, "model, µs": RIGHT, "difference": RIGHT,
             "published row": LEFT},
            rows,
        )
    )  # fmt: skip
    errors = [(row.error_percent, row.is_fitted) for row in compared_latch_rows(times)]
    if errors:
        block.parts.append(medians_in_words(errors, "row"))
    return block


def _layers(times: CycleTimes) -> Block | None:
    """Returns the block on time by layer, from extra runs: results have no times by layer."""
    found: list[tuple[str, Mapping[str, float]]] = []
    for title, method, number in _LAYER_POINTS:
        test = f"{tests.TIMESTAMPS} {title}"
        if times.of(test).empty:
            continue
        axes = {
            "method": method,
            "num_transactions": str(tests.CYCLES),
            "call_size": str(number * tests.TIMESTAMP_BYTES),
        }
        point = select_one_point(test, arch=times.arch, axes=axes)
        waits = point.catalogue.run_point(point).cores[0]["waits"]
        found.append((f"{title}, {method}, {number} in a cycle", waits))
    if not found:
        return None
    causes = [cause for cause in _LAYERS if any(waits.get(cause) for _, waits in found)]
    block = Block("Which layer takes the time")
    block.parts.append(
        "The table shows the share of each layer in the time of a run of 90 cycles. If the program on the host waits "
        "for a layer, this waiting time is counted in the share of the layer. `nocbench explain` prints such shares "
        "for any point. It also shows what the end of the run waited for."
    )
    rows = []
    for name, waits in found:
        total = sum(waits.values())
        rows.append([name, *(f"{100 * waits.get(cause, 0) / total:.0f} %" for cause in causes)])
    block.parts.append(Table({"": LEFT} | {_LAYERS[cause]: RIGHT for cause in causes}, rows))
    return block


def _contradictions() -> Block:
    block = Block("Where the document contradicts itself")
    block.parts.append("The table shows statements that contradict each other. The model was not tuned to any of them.")
    rows = [
        [
            "One timestamp takes 25 µs. This is 40 kHz and 2.56 Mbit/s.",
            "The rate is 35 kHz. This is 28.6 µs and 2.24 Mbit/s.",
        ],
        [
            "Several timestamps come at about 100 kHz. This is 6.4 Mbit/s.",
            "The throughput is about 7 Mbit/s. This is 109 kHz.",
        ],
        [
            "Blocking cycles by GigE and USB take longer than by PCIe.",
            (
                "GigE takes about 50.4 µs for any number of timestamps. PCIe takes 5.97 µs more for each timestamp, "
                "and takes longer than GigE from 6 timestamps in a cycle."
            ),
        ],
        [
            "The results of 2018 are basically unchanged against 2014.",
            "USB takes 40 % less time. PCIe takes 10 % more time on a PC, and 6 % more time on an SCU.",
        ],
        [
            "Pipelining gains about 30 % by PCIe.",
            "This is true for 7 or 8 timestamps in a cycle. With fewer timestamps, pipelining gains more.",
        ],
        [
            "The figures do not show blocking timestamps of the SCU by GigE.",
            "The table of the latch unit has blocking cycles of the SCU by GigE.",
        ],
        ["The row of GigE has a footnote.", "The text of the footnote is missing."],
    ]
    block.parts.append(Table({"the document says": LEFT, "contradiction": LEFT}, rows))
    return block
