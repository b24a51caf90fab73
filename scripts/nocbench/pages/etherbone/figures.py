"""The document's figures redrawn, and what-ifs, each as a block of the page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from nocbench.drawing.pictures import Picture
from nocbench.pages.epiphany.blocks import LEFT, RIGHT, Block, Table
from nocbench.pages.etherbone.drawings import HOURGLASS, Axes, Band, Line, draw_lines
from nocbench.published import cycle_times as tests

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nocbench.published.cycle_times import CycleTimes

# Colours and symbols are those of the document; its yellow is darker here, so that it can be seen on white.
_SERIES = {"SCU3 PCIe": "red", "SCU3 GigE": "goldenrod", "Exploder GigE": "blue", "Exploder USB": "green"}
_SYMBOLS: Mapping[str, Mapping[str, Any]] = {
    tests.BLOCKING: {"marker": HOURGLASS, "linestyle": "-"},
    tests.PIPELINED: {"marker": ">", "linestyle": "--"},
}
_NOT_SHOWN = ("SCU3 GigE", tests.BLOCKING)
_ALONG = "Timestamps in a cycle"
_WHAT_BANDS_ARE = "grey: the document on SCU3 PCIe, with its scatter"
_SCATTER = 0.1
_BITS = 64
_WORDS_PER_TIMESTAMP = 2
_MICROSECONDS_PER_MILLISECOND = 1000


def figure_blocks(times: CycleTimes) -> list[Block]:
    """Returns the blocks of the four figures and of what-ifs, as far as there are results."""
    makers = (
        *(_figure_1, _figure_2, _figure_3, _figure_4),
        *(_driver_designs, _operations, _networks, _slow_slaves, _windows),
    )
    return [block for block in (make(times) for make in makers) if block is not None]


def _series(times: CycleTimes, value: Callable[[float, int], float]) -> list[Line]:
    """Returns the document's series. `value` computes y from microseconds per timestamp and timestamps per cycle."""
    lines = []
    for title, color in _SERIES.items():
        for method, symbol in _SYMBOLS.items():
            measured = times.per_timestamp(f"{tests.TIMESTAMPS} {title}", method=method)
            if len(measured) > 1:
                own = " (not in the document)" if (title, method) == _NOT_SHOWN else ""
                values = {number: value(time, number) for number, time in measured.items()}
                lines.append(Line(f"{title}, {method}{own}", values, {"color": color, **symbol}))
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
        "The text of the document has numbers for three of these lines. For SCU3 by PCIe, a timestamp takes 25 µs if a "
        "cycle has one timestamp, and less than 10 µs if a cycle has several timestamps. Blocking cycles by GigE and "
        "by USB take the same time for any number of timestamps. For the other lines, only the shapes can be compared."
    )
    bands = [Band(1, 1, *_around(25)), Band(5, 8, 10 * (1 - 2 * _SCATTER), 10)]
    return _block(
        times, "Figure 1: time for a timestamp", "figure_1_time", text,
        _series(times, lambda time, _: time), Axes(_ALONG, "Time for a timestamp, µs"), bands,
    )  # fmt: skip


def _figure_2(times: CycleTimes) -> Block | None:
    text = (
        "The rate is the inverse of the time for a timestamp. For SCU3 by PCIe, the document gives 35 kHz with one "
        "timestamp in a cycle, and about 100 kHz with several timestamps. Its time of 25 µs contradicts the 35 kHz. "
        "For the other lines, only the shapes can be compared."
    )
    bands = [Band(1, 1, *_around(35)), Band(5, 8, *_around(100))]
    return _block(
        times, "Figure 2: rate of timestamps", "figure_2_rate", text,
        _series(times, lambda time, _: 1000 / time), Axes(_ALONG, "Timestamps, kHz"), bands,
    )  # fmt: skip


def _figure_3(times: CycleTimes) -> Block | None:
    text = (
        "The throughput is 64 bits divided by the time for a timestamp. For SCU3 by PCIe, the document gives 2.5 "
        "Mbit/s with one timestamp in a cycle, and about 7 Mbit/s with several timestamps. For the other lines, only "
        "the shapes can be compared."
    )
    bands = [Band(1, 1, *_around(2.5)), Band(5, 8, *_around(7))]
    return _block(
        times, "Figure 3: throughput", "figure_3_throughput", text,
        _series(times, lambda time, _: _BITS / time), Axes(_ALONG, "Throughput, Mbit/s"), bands,
    )  # fmt: skip


def _figure_4(times: CycleTimes) -> Block | None:
    text = (
        "The picture shows the time of a run of 90 cycles against the number of 32-bit words that the run reads. Only "
        "the shapes of the curves can be compared."
    )
    lines = [
        Line(
            line.label,
            {
                number * tests.CYCLES * _WORDS_PER_TIMESTAMP: total / _MICROSECONDS_PER_MILLISECOND
                for number, total in line.values.items()
            },
            line.style,
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
        "The picture shows three designs of the driver of SCU3 by PCIe. In the existing design, the driver itself is "
        "the Etherbone slave. If the slave is in the FPGA, the driver also reads the headers and addresses of the "
        "answer across PCIe. For m timestamps, it then reads 2m + 5 words instead of 2m + 1 words, so that reads are "
        "slower. A slave in the FPGA is faster only if the FPGA itself writes the answers to memory (DMA). No "
        "measurements of the two designs with a slave in the FPGA were published. The time in this picture is from the "
        "leading to the trailing timestamp. A slave in the FPGA finishes its operations long before the driver has "
        "read the answers. The answers wait in a FIFO, and the model assumes that this FIFO is long enough."
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
        "The picture shows SCU3 with more timestamps in a cycle, up to a full datagram. A checked cycle reads the "
        "error status after every 32 operations and at its end. By PCIe, the read of an error status takes as long as "
        "any other read."
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
        "The table shows the time in µs for SCU3 by GigE. Each blocking cycle reads one timestamp. A message and its "
        "answer pass the same switches and the same fibre. Switches and fibre take little time compared with the "
        "network stack of the host."
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
        "The host SCU3 reads by Gigabit Ethernet. Each Etherbone cycle reads eight timestamps. The registers need more "
        "clocks than usual to acknowledge. A word arrives every 4 clocks, and at most 32 words wait for their "
        "acknowledgements at the same time. Each cycle waits for the last acknowledgement of the cycle before it."
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
        "The table shows the time for a timestamp in µs. A window is the interval in which the stopwatch of the "
        "program runs. The figures use the first window, which the program of the document calls realistic. The "
        "program says of the second window that it underestimates the time. With pipelined cycles, the second window "
        "does not include the path to the FPGA, and the third window includes an additional round trip."
    )
    block.parts.append(Table({"": LEFT, "window": LEFT, "1 in a cycle": RIGHT, "8 in a cycle": RIGHT}, rows))
    return block
