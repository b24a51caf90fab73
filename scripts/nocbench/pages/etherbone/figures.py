"""The figures of the document, made again, and what-ifs: a block of the page for each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nocbench.drawing.pictures import Picture
from nocbench.pages.epiphany.blocks import LEFT, RIGHT, Block, Table
from nocbench.pages.etherbone.drawings import Axes, Band, Line, draw_lines
from nocbench.published import cycle_times as tests

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nocbench.published.cycle_times import CycleTimes

_SERIES = ("SCU3 PCIe", "SCU3 GigE", "Exploder GigE", "Exploder USB")
_NOT_SHOWN = ("SCU3 GigE", tests.BLOCKING)
_ALONG = "Timestamps in a cycle"
_WHAT_BANDS_ARE = "grey: what the document says of SCU3 PCIe, with its scatter"
_SCATTER = 0.1
_BITS = 64
_WORDS_PER_TIMESTAMP = 2
_MICROSECONDS_PER_MILLISECOND = 1000


def figure_blocks(times: CycleTimes) -> list[Block]:
    """The four figures, as far as results hold them, and what-ifs."""
    makers = (
        *(_figure_1, _figure_2, _figure_3, _figure_4),
        *(_driver_designs, _operations, _networks, _slow_slaves, _windows),
    )
    return [block for block in (make(times) for make in makers) if block is not None]


def _series(times: CycleTimes, value: Callable[[float, int], float]) -> list[Line]:
    """The document's series; `value` of the microseconds for a timestamp, and timestamps in a cycle."""
    lines = []
    for title in _SERIES:
        for method in (tests.BLOCKING, tests.PIPELINED):
            measured = times.per_timestamp(f"{tests.TIMESTAMPS} {title}", method=method)
            if len(measured) > 1:
                own = " (not in the document)" if (title, method) == _NOT_SHOWN else ""
                values = {number: value(time, number) for number, time in measured.items()}
                lines.append(Line(f"{title}, {method}{own}", values))
    return lines


def _block(
    times: CycleTimes, heading: str, stem: str, text: str, lines: Sequence[Line], axes: Axes,
    bands: Sequence[Band] = (),
) -> Block | None:  # fmt: skip
    if not lines:
        return None
    block = Block(heading)
    block.parts.append(text)
    draw = partial(draw_lines, heading, lines, axes, bands, _WHAT_BANDS_ARE)
    block.parts.append(Picture(heading, times.arch, stem, draw))
    return block


def _around(value: float) -> tuple[float, float]:
    return value * (1 - _SCATTER), value * (1 + _SCATTER)


def _figure_1(times: CycleTimes) -> Block | None:
    text = (
        "The document's text gives numbers for three of these lines: SCU3 by PCIe takes 25 µs with one timestamp and "
        "less than 10 µs with several, and blocking cycles by GigE and USB take the same time for any number of "
        "timestamps. The other lines are shape only."
    )
    bands = [Band(1, 1, *_around(25)), Band(5, 8, 10 * (1 - 2 * _SCATTER), 10)]
    return _block(
        times, "Figure 1: time for a timestamp", "figure_1_time", text,
        _series(times, lambda time, _: time), Axes(_ALONG, "Time for a timestamp, µs"), bands,
    )  # fmt: skip


def _figure_2(times: CycleTimes) -> Block | None:
    text = (
        "The inverse of the same times. The document names 35 kHz with one timestamp, which its 25 µs contradict, and "
        "about 100 kHz with several. All else is shape only."
    )
    bands = [Band(1, 1, *_around(35)), Band(5, 8, *_around(100))]
    return _block(
        times, "Figure 2: rate of timestamps", "figure_2_rate", text,
        _series(times, lambda time, _: 1000 / time), Axes(_ALONG, "Timestamps, kHz"), bands,
    )  # fmt: skip


def _figure_3(times: CycleTimes) -> Block | None:
    text = (
        "The same times 64 bits. The document names 2.5 Mbit/s with one timestamp and about 7 Mbit/s with several. All "
        "else is shape only."
    )
    bands = [Band(1, 1, *_around(2.5)), Band(5, 8, *_around(7))]
    return _block(
        times, "Figure 3: throughput", "figure_3_throughput", text,
        _series(times, lambda time, _: _BITS / time), Axes(_ALONG, "Throughput, Mbit/s"), bands,
    )  # fmt: skip


def _figure_4(times: CycleTimes) -> Block | None:
    text = "How long a run of 90 cycles takes, by the number of 32-bit words that it reads. Shape only."
    lines = [
        Line(
            line.label,
            {
                number * tests.CYCLES * _WORDS_PER_TIMESTAMP: total / _MICROSECONDS_PER_MILLISECOND
                for number, total in line.values.items()
            },
        )
        for line in _series(times, lambda time, number: time * number * tests.CYCLES)
    ]
    return _block(
        times, "Figure 4: time for words", "figure_4_words", text, lines, Axes("32-bit words", "Time of a run, ms")
    )


def _driver_designs(times: CycleTimes) -> Block | None:
    names = {
        "software_slave": "the driver is the slave",
        "word_reads": "slave in the FPGA, answers read word by word",
        "direct_memory_access": "slave in the FPGA, answers by DMA",
    }
    lines = [
        Line(f"{name}, {method}", times.per_timestamp(tests.DRIVER_DESIGNS, method=method, design=design))
        for design, name in names.items()
        for method in (tests.BLOCKING, tests.PIPELINED)
    ]
    text = (
        "SCU3 by PCIe with another driver. *A slave in the FPGA* by itself makes reads slower: the driver reads every "
        "word of the answer, headers and addresses included, across PCIe: 2m + 5 words instead of the 2m + 1 that "
        "it asks for. It pays only when the FPGA writes answers to memory itself (DMA). Nothing was published of "
        "either. The window here is from the leading to the trailing timestamp: a slave in the FPGA is through with "
        "its operations long before the driver has read their answers, which wait in a FIFO that is taken to be long "
        "enough."
    )
    return _block(
        times, "What if: driver designs", "what_if_driver_designs", text, [line for line in lines if line.values],
        Axes(_ALONG, "Time for a timestamp, µs"),
    )  # fmt: skip


def _operations(times: CycleTimes) -> Block | None:
    checks = {"1": "checked", "0": "unchecked"}
    lines = [
        Line(
            f"{bridge}, {method}, {name}",
            times.per_timestamp(f"{tests.OPERATIONS} {bridge}", method=method, checked=checked),
        )
        for bridge in ("PCIe", "GigE")
        for method in (tests.BLOCKING, tests.PIPELINED)
        for checked, name in checks.items()
    ]
    text = (
        "SCU3 with more timestamps in a cycle, as many as fit into a datagram. A checked cycle reads the error status "
        "after every 32 operations and at the end; by PCIe, each of these reads costs as much as another one."
    )
    return _block(
        times, "What if: operations in a cycle", "what_if_operations", text, [line for line in lines if line.values],
        Axes(_ALONG, "Time for a timestamp, µs", base=2),
    )  # fmt: skip


def _networks(times: CycleTimes) -> Block | None:
    rows = times.of(tests.NETWORK, method=tests.BLOCKING)
    if rows.empty:
        return None
    block = Block("What if: switches and fibre")
    block.parts.append(
        "SCU3 by GigE, a blocking cycle of one timestamp, in µs. Switches and fibre count twice, there and back. They "
        "take little time beside the host's network stack."
    )
    lengths = sorted({int(metres) for metres in rows["metres"]})
    cells = {
        (int(switches), int(metres)): float(time) / tests.CYCLES
        for switches, metres, time in zip(rows["switches"], rows["metres"], rows["microseconds"], strict=True)
    }
    columns = {"switches": RIGHT} | {f"{metres:,} m of fibre": RIGHT for metres in lengths}
    block.parts.append(
        Table(
            columns,
            [
                [str(switches), *(f"{cells[switches, metres]:.2f}" for metres in lengths)]
                for switches in sorted({switches for switches, _ in cells})
            ],
        )
    )
    return block


def _slow_slaves(times: CycleTimes) -> Block | None:
    lines = []
    for method in (tests.BLOCKING, tests.PIPELINED):
        rows = times.of(tests.SLOW_SLAVE, method=method)
        values = {
            int(cycles): float(time) / tests.CYCLES
            for cycles, time in sorted(
                zip(rows["acknowledge_cycles"].astype(int), rows["microseconds"], strict=True)
            )
        }  # fmt: skip
        if values:
            lines.append(Line(method, values))
    text = (
        "SCU3 by GigE, cycles of eight timestamps, with registers that take longer to acknowledge. Words come every 4 "
        "clocks and wait for their acknowledgements one after the other once 32 are in flight; a cycle waits for that "
        "of the cycle before."
    )
    return _block(
        times, "What if: a slow slave", "what_if_slow_slave", text, lines,
        Axes("Clocks until an access is acknowledged", "Time of a cycle, µs", base=2),
    )  # fmt: skip


def _windows(times: CycleTimes) -> Block | None:
    names = {
        "leading_to_last": "leading timestamp to last one acquired",
        "first_to_last": "first to last one acquired",
        "leading_to_trailing": "leading to trailing timestamp",
    }
    rows = []
    for bridge in ("PCIe", "GigE"):
        for method in (tests.BLOCKING, tests.PIPELINED):
            for window, name in names.items():
                found = times.per_timestamp(f"{tests.WINDOWS} {bridge}", method=method, window=window)
                if found:
                    rows.append([f"SCU3 {bridge}, {method}", name, *(f"{found[number]:.3f}" for number in (1, 8))])
    if not rows:
        return None
    block = Block("What if: another window")
    block.parts.append(
        "Microseconds for a timestamp, by what the stopwatch begins and ends with. The first window is that of the "
        "figures, which the measuring program calls realistic; it calls the second one underestimated. Pipelined, the "
        "second one leaves out the way there, and the third one counts a round trip more."
    )
    block.parts.append(Table({"": LEFT, "window": LEFT, "1 in a cycle": RIGHT, "8 in a cycle": RIGHT}, rows))
    return block
