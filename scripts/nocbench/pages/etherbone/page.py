"""The page of Etherbone: what a document says in numbers beside the model's, and its figures made again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nocbench.drawing.pictures import Page, Picture
from nocbench.pages.epiphany.blocks import LEFT, NOTHING, RIGHT, Block, Table, signed_percent
from nocbench.pages.etherbone import cycles as tests
from nocbench.pages.etherbone.cycles import CycleTimes
from nocbench.pages.etherbone.figures import figure_blocks
from nocbench.points.selection import select_one_point

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import jinja2

    from nocbench.pages.sections import Section

_SCU3_PCIE = f"{tests.TIMESTAMPS} SCU3 PCIe"
_PREDICTED = "prediction"


class _Claim(NamedTuple):
    """A statement of the document; the model is to be within `low` to `high`."""

    name: str
    document: str
    low: float
    high: float
    modeled: float | None
    unit: str
    what: str = _PREDICTED

    def row(self) -> list[str]:
        modeled = NOTHING if self.modeled is None else f"{self.modeled:.4g} {self.unit}".strip()
        within = NOTHING if self.modeled is None else "yes" if self.low <= self.modeled <= self.high else "no"
        return [self.name, self.document, modeled, within, self.what]


class LatchRow(NamedTuple):
    """A row of the document's table of latch-unit cycles.

    Attributes:
        board: name of the board in the tests' names.
        microseconds: of a cycle.
        year: in which it was measured.
        fixes: the constant of the host that it fixes, by path in the architecture file; empty: none.
        checks: what it checks instead.
    """

    board: str
    microseconds: float
    year: int
    fixes: str
    checks: str = ""

    @property
    def what(self) -> str:
        """The use of the row: the constant that it fixes, or the check that it is."""
        return f"fixes `{self.fixes}`" if self.fixes else f"checks {self.checks}"


LATCH_ROWS = (
    LatchRow("T3500 USB", 134.0, 2014, "hosts.t3500.interrupt_interval_ns"),
    LatchRow("T5810 USB", 80.3, 2018, "", "two documented interrupt intervals of 40 µs"),
    LatchRow("T3500 PCIe", 8.3, 2014, "hosts.t3500.driver_ns"),
    LatchRow("T5810 PCIe", 9.1, 2018, "hosts.t5810.driver_ns"),
    LatchRow("SCU2 PCIe", 27.4, 2014, "hosts.scu2.driver_ns"),
    LatchRow("SCU3 PCIe", 29.0, 2018, "hosts.scu3.driver_ns"),
    LatchRow("SCU3 GigE", 50.4, 2018, "hosts.scu3.network_ns"),
    LatchRow("RIO4 VME", 16.5, 2014, "hosts.rio4.driver_ns"),
    LatchRow("A020 VME", 32.7, 2014, "hosts.a020.driver_ns"),
)
_LAYERS = {
    "issue": "library",
    "host": "system calls",
    "driver": "driver or network stack",
    "round_trip": "words read one by one, and the way",
    "link": "wire",
    "bus": "bus and its devices",
}
"""Causes of waits, in the order in which a message meets them, in the words of this page."""
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
    """The page, from sections of hosts and bridges."""
    times = CycleTimes(sections)
    blocks = [_numbers(times), _latch_unit(times), _layers(times), *figure_blocks(times), _contradictions()]
    present = [block for block in blocks if block is not None]

    def render(environment: jinja2.Environment) -> str:
        return environment.get_template("etherbone.md.j2").render(
            arch=arch, blocks=[block.describe() for block in present]
        )

    pictures = [part for block in present for part in block.parts if isinstance(part, Picture)]
    return Page(arch, pictures, render)


def _ratio(upper: float | None, lower: float | None) -> float | None:
    return None if upper is None or lower is None else upper / lower


def _numbers(times: CycleTimes) -> Block:
    blocking = times.per_timestamp(_SCU3_PCIE, method=tests.BLOCKING)
    pipelined = times.per_timestamp(_SCU3_PCIE, method=tests.PIPELINED)
    rates = {number: 1000 / time for number, time in blocking.items()}
    claims = [
        _Claim("PCIe, blocking, 1 in a cycle: time for a timestamp", "25 µs", 24, 28.6, blocking.get(1), "µs"),
        _Claim("the same: rate", "about 35 kHz", 35, 41.7, rates.get(1), "kHz"),
        _Claim("the same: throughput", "2.5 Mbit/s", 2.25, 2.75, _throughput(blocking.get(1)), "Mbit/s"),
        *(
            _Claim(f"PCIe, blocking, {number} in a cycle: time for a timestamp", "< 10 µs", 0, 10,
                   blocking.get(number), "µs")
            for number in (5, 8)
        ),
        *(
            _Claim(f"PCIe, blocking, {number} in a cycle: rate", "about 100 kHz", 90, 125, rates.get(number), "kHz")
            for number in (5, 8)
        ),
        _Claim("PCIe, blocking, 8 in a cycle: throughput", "about 7 Mbit/s", 5.6, 8.4,
               _throughput(blocking.get(8)), "Mbit/s"),
        *(
            _Claim(f"PCIe, gain of pipelining, {number} in a cycle", "about 30 %", 25, 38,
                   _gain_percent(blocking.get(number), pipelined.get(number)), "%")
            for number in (7, 8)
        ),
        _Claim("PCIe, spacing within a cycle", "about 5970 ns", 5850, 6090, _spacing(times, "SCU3 PCIe"), "ns",
               "input: `hosts.scu3.word_read_ns` is half of it"),
        _Claim("GigE, spacing within a cycle", "64 ns", 62.7, 65.3, _spacing(times, "SCU3 GigE"), "ns",
               "prediction: two words of 4 bytes at 8 ns a byte"),
        *(
            _Claim(f"{title}, blocking: time of a cycle of 8 over one of 1", "independent of the number", 0.9, 1.1,
                   _cycle_ratio(times, title), "")
            for title in ("SCU3 GigE", "Exploder GigE", "Exploder USB")
        ),
        _Claim("pipelined, 8 in a cycle: USB over GigE (Exploder)", "GigE is faster", 1, float("inf"),
               _ratio(_pipelined(times, "Exploder USB"), _pipelined(times, "Exploder GigE")), ""),
        _Claim("pipelined, 8 in a cycle: PCIe (SCU3) over USB (Exploder)", "USB is faster", 1, float("inf"),
               _ratio(_pipelined(times, "SCU3 PCIe"), _pipelined(times, "Exploder USB")), ""),
    ]  # fmt: skip
    block = Block("Numbers of the document")
    block.parts.append(
        "What the text says in numbers, and the range that counts as the same: its own scatter, 10 % of PCIe and USB "
        "and up to 20 % of GigE, or where it contradicts itself, the range of what it says. Two constants of SCU3 "
        "decide about blocking PCIe: a read of a word, from the spacing, and the driver's time, from the row of the "
        "latch unit below. All timestamps follow."
    )
    block.parts.append(
        Table(
            {"": LEFT, "document": RIGHT, "model": RIGHT, "within": LEFT, "what it is": LEFT},
            [claim.row() for claim in claims],
        )
    )
    return block


def _throughput(microseconds: float | None) -> float | None:
    return None if microseconds is None else 64 / microseconds


def _gain_percent(blocking: float | None, pipelined: float | None) -> float | None:
    return None if blocking is None or pipelined is None else 100 * (blocking / pipelined - 1)


def _pipelined(times: CycleTimes, title: str) -> float | None:
    return times.per_timestamp(f"{tests.TIMESTAMPS} {title}", method=tests.PIPELINED).get(8)


def _spacing(times: CycleTimes, title: str) -> float | None:
    """In ns, with eight timestamps in a cycle, which have seven spaces."""
    spacing = times.per_timestamp(f"{tests.SPACING} {title}").get(7)
    return None if spacing is None else 1000 * spacing


def _cycle_ratio(times: CycleTimes, title: str) -> float | None:
    measured = times.per_timestamp(f"{tests.TIMESTAMPS} {title}", method=tests.BLOCKING)
    return None if not {1, 8} <= measured.keys() else 8 * measured[8] / measured[1]


def _latch_unit(times: CycleTimes) -> Block:
    rows = []
    for latch in LATCH_ROWS:
        by_cycles = times.per_cycle(f"{tests.LATCH_UNIT} {latch.board}")
        modeled = by_cycles[max(by_cycles)] if by_cycles else None
        difference = None if modeled is None else 100 * (modeled - latch.microseconds) / latch.microseconds
        rows.append(
            [latch.board, str(latch.year), f"{latch.microseconds:.1f}",
             NOTHING if modeled is None else f"{modeled:.1f}", signed_percent(difference), latch.what]
        )  # fmt: skip
    block = Block("Cycles of the latch unit")
    block.parts.append(
        "Blocking cycles of three reads and a write, in µs. Each row fixes at most one constant, by "
        "`scripts/studies/fit_etherbone.py`; what is fixed is no prediction, here."
    )
    block.parts.append(
        Table(
            {"": LEFT, "year": RIGHT, "document, µs": RIGHT, "model, µs": RIGHT, "difference": RIGHT,
             "what it is": LEFT},
            rows,
        )
    )  # fmt: skip
    return block


def _layers(times: CycleTimes) -> Block | None:
    """The time by layer, from runs of their own, since results have no room for it."""
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
        "Shares of a run of 90 cycles, by what the program on the host waits for. `nocbench explain` says the same of "
        "any point, and what its end waited for."
    )
    rows = []
    for name, waits in found:
        total = sum(waits.values())
        rows.append([name, *(f"{100 * waits.get(cause, 0) / total:.0f} %" for cause in causes)])
    block.parts.append(Table({"": LEFT} | {_LAYERS[cause]: RIGHT for cause in causes}, rows))
    return block


def _contradictions() -> Block:
    block = Block("Where the document contradicts itself")
    block.parts.append("Both sides are stated here; the model is tuned to neither.")
    rows = [
        ["One timestamp takes 25 µs, which is 40 kHz and 2.56 Mbit/s",
         "35 kHz, which is 28.6 µs and 2.24 Mbit/s"],
        ["Several come at about 100 kHz, which is 6.4 Mbit/s", "about 7 Mbit/s, which is 109 kHz"],
        ["GigE and USB, blocking, are slower than PCIe",
         ("GigE stays near 50.4 µs for any number, and PCIe takes 5.97 µs more for each timestamp: it is the slower "
          "one from 6 in a cycle on")],
        ["2018 is basically unchanged against 2014", "USB takes 40 % less, PCIe of a PC 10 % more, of an SCU 6 % more"],
        ["Pipelining gains about 30 % by PCIe", "true with 7 or 8 in a cycle; with fewer it gains more"],
        ["Blocking GigE of the SCU is not shown for timestamps", "it is in the table of the latch unit"],
        ["The GigE row has a footnote", "its text is missing"],
    ]  # fmt: skip
    block.parts.append(Table({"it says": LEFT, "against": LEFT}, rows))
    return block
