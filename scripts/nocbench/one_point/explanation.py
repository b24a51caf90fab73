"""Explanation of the latency of a point: cycles by cause, and the chain of events that determined the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from nocbench.one_point.use import use_of
from nocbench.points.peaks import fault_in_words, theoretical_of
from nocbench.support.units import plural
from nocbench.support.wording import limiter_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.one_point.use import PointUse
    from nocbench.points.point import Point
    from nocbench.points.point_results import PointTrace
    from nocbench.support.columns import Row

MAX_RECORDS = 500_000
"""Maximum number of transactions, and of stretches of time, recorded for an explanation."""
_POLL = "poll"
"""Kind of transactions that poll memory."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the chain: an event that the end of the kernel waited for.

    Attributes:
        begin: cycle from the beginning of the timed zone.
        end: cycle at which the next link begins.
        what: description.
    """

    begin: float
    end: float
    what: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Explanation of one result row, at its median core.

    Attributes:
        point: description of the point.
        row: the result row.
        of_maximum: bandwidth as a share of the theoretical maximum.
        core: median core and its RISC, in words (of an even number of cores, the lower of the two in the middle); or
            the host, or the source of packets.
        latency_cycles: latency of the median core.
        waits: cycles by cause, which add up to the latency.
        chain: links without gap or overlap, from the first cycle to the last; empty if the point has too many
            transactions. For a network without kernels, the chain of the source's packet whose latency is nearest to
            the mean.
        has_kernels: True if the chain leads to the end of a kernel.
        data_fault: first fault of the row's data; empty if all data are right.
        use: use of networks and memories over the whole run of the point; None without any.
    """

    point: str
    row: Row
    of_maximum: float
    core: str
    latency_cycles: float
    waits: dict[str, float]
    chain: tuple[Link, ...]
    has_kernels: bool = True
    data_fault: str = ""
    use: PointUse | None = None

    def sentences(self) -> list[str]:
        """Returns the result in words, and the fault of its data if there is one."""
        row = self.row
        heading = (
            f"{self.point}, {row['kernel']}: {row['latency_cycles']:,.10g} cycles, "
            f"{row['bandwidth_bytes_per_cycle']:.2f} B/cycle, {100 * self.of_maximum:.0f} % of the maximum; "
            f"limited by {limiter_in_words(str(row['limiter']))}"
        )
        fault = fault_in_words(row, self.data_fault)
        return [heading, fault] if fault else [heading]

    def to_json(self) -> dict[str, Any]:
        """Returns the explanation as JSON values."""
        document = asdict(self)
        if self.has_kernels:
            del document["has_kernels"]
        if not self.data_fault:
            del document["data_fault"]
        if self.use is None:
            del document["use"]
        return document


class _Transaction:
    """A transaction of a trace; see :class:`nocbench.points.point_results.PointTrace`."""

    __slots__ = (
        "accepted",
        "bytes",
        "ended",
        "hops",
        "kind",
        "noc",
        "phase_kinds",
        "phases",
        "response_hops",
        "start_cause",
        "started",
    )

    def __init__(self, record: Mapping[str, Any], trace: PointTrace) -> None:
        self.kind = str(record["kind"])
        self.noc = int(record["noc"])
        self.bytes = int(record["bytes"])
        self.hops = int(record["hops"])
        self.response_hops = int(record["response_hops"])
        self.start_cause = str(record["start_cause"])
        self.accepted = float(record["accepted"])
        self.phases: Sequence[tuple[int, float]] = record["phases"]
        self.phase_kinds = trace.phase_kinds
        self.started = self.phases[0][1]
        self.ended = self.phases[-1][1]


def explain(point: Point) -> list[Explanation]:
    """Runs a point and explains each of its result rows.

    Raises:
        InputError: the simulator refuses the point.
    """
    return explain_trace(point.describe(), point.catalogue.trace_point(point, MAX_RECORDS))


def explain_trace(point: str, trace: PointTrace) -> list[Explanation]:
    """Explains each result row of a point, given in words, from a trace with at most :data:`MAX_RECORDS` records."""
    explanations = []
    use = use_of(trace)
    for row, data_fault in zip(trace.rows, trace.data_faults, strict=True):
        cores = [core for core in trace.cores if core["kernel"] == row["kernel"]]
        cores.sort(key=lambda core: (core["latency_cycles"], core["y"] or 0, core["x"] or 0))
        core = cores[(len(cores) - 1) // 2]
        explanations.append(
            Explanation(
                point=point,
                row=row,
                of_maximum=row["bandwidth_bytes_per_cycle"] / theoretical_of(row),
                core=_processor(core),
                latency_cycles=float(core["latency_cycles"]),
                waits=dict(sorted(core["waits"].items(), key=lambda item: -item[1])),
                chain=tuple(_chain(trace, core)),
                has_kernels=bool(core["zone"]),
                data_fault=data_fault,
                use=use if use.packets or use.memories else None,
            )
        )
    return explanations


def _processor(core: Mapping[str, Any]) -> str:
    if core["physical_x"] is None:
        return "the host"
    place = f"({core['x']}, {core['y']})"
    if not core["zone"]:
        return f"the packets from {place}"
    return f"core {place}" + (f", riscv_{core['riscv']}" if core["riscv"] >= 0 else "")


def _chain(trace: PointTrace, core: Mapping[str, Any]) -> list[Link]:
    """Returns the chain of events that ends with a core's timed zone; each event waited for the one before it."""
    if max(trace.num_transactions, trace.num_stretches) > trace.max_records:
        return []
    place = None if core["physical_x"] is None else (core["physical_x"], core["physical_y"])
    of_place = [_Transaction(record, trace) for record in trace.transactions if record["from"] == place]
    if not core["zone"]:
        return _chain_of_packet(of_place, core["latency_cycles"])
    kernel = next(
        kernel
        for kernel in trace.kernels
        if (kernel["physical_x"], kernel["physical_y"]) == (core["physical_x"], core["physical_y"])
        and kernel["riscv"] == core["riscv"]
    )
    begin, end = next((begin, end) for name, begin, end in reversed(kernel["zones"]) if name == core["zone"])
    own = [
        transaction
        for transaction in of_place
        # a core with a single processor uses all networks
        if (core["riscv"] < 0 or transaction.noc == core["noc"])
        and begin <= transaction.accepted
        and transaction.ended <= end
    ]
    # Skip polls: another event ends them.
    own = [transaction for transaction in own if transaction.kind != _POLL] or own
    links = _links(sorted(own, key=lambda transaction: (transaction.started, transaction.accepted)), kernel, begin, end)
    return [replace(link, begin=link.begin - begin, end=link.end - begin) for link in links]


def _chain_of_packet(packets: Sequence[_Transaction], latency: float) -> list[Link]:
    """Returns the phases of the packet whose latency is nearest to `latency`."""
    if not packets:
        return []
    packet = min(packets, key=lambda packet: (abs(packet.ended - packet.accepted - latency), packet.accepted))
    begin = packet.accepted
    links = _phase_links(packet, packets.index(packet), len(packets), begin, 0)
    return [replace(link, begin=link.begin - begin, end=link.end - begin) for link in links]


def _links(own: Sequence[_Transaction], kernel: Mapping[str, Any], begin: float, end: float) -> list[Link]:
    if not own:
        return [_kernel_link(kernel, begin, end, "the kernel")]
    last = max(own, key=lambda transaction: transaction.ended)
    number = own.index(last)
    links: list[Link] = []
    if last.ended < end:
        links.append(_kernel_link(kernel, last.ended, end, "the kernel goes on"))
    links += reversed(_phase_links(last, number, len(own), last.started, 1))
    # Add preceding transactions, as long as each waited in the NIU for its predecessor.
    first = number
    while first > 0 and own[first].started > own[first].accepted and own[first - 1].started < own[first].started:
        first -= 1
    if first < number:
        links.append(_queue_link(own[first : number + 1]))
    issued = own[first].started
    calls = f", {plural(first, 'command')} before this one" if first else ""
    if issued > begin:
        links.append(_kernel_link(kernel, begin, issued, f"the kernel gets as far as this command{calls}"))
    return [link for link in reversed(links) if link.end > link.begin]


def _queue_link(queue: Sequence[_Transaction]) -> Link:
    begin, end = queue[0].started, queue[-1].started
    count = len(queue) - 1
    causes = Counter(transaction.start_cause for transaction in queue[1:])
    cause = limiter_in_words(causes.most_common(1)[0][0])
    every = f", one every {(end - begin) / count:.4g} cycles" if count > 1 else ""
    return Link(
        begin,
        end,
        f"{plural(count, queue[0].kind)} of at most {max(transaction.bytes for transaction in queue)} B leave before "
        f"it{every}: {cause}",
    )


def _phase_links(transaction: _Transaction, number: int, count: int, begin: float, first_phase: int) -> list[Link]:
    """Returns links for the phases of a transaction that end after `begin`, from `first_phase` on."""
    words = {
        "which": f"{transaction.kind} {number + 1} of {count} ({transaction.bytes} B)",
        "hops": plural(transaction.hops, "hop"),
        "response_hops": plural(transaction.response_hops, "hop"),
    }
    links = []
    for kind, end in transaction.phases[first_phase:]:
        if end > begin:
            links.append(Link(begin, end, transaction.phase_kinds[kind][1].format(**words)))
            begin = end
    return links


def _kernel_link(kernel: Mapping[str, Any], begin: float, end: float, what: str) -> Link:
    """Returns a link for a stretch of a kernel's time, with its waits by cause."""
    by_cause: Counter[str] = Counter()
    for cause, stretch_begin, stretch_end in kernel["stretches"]:
        overlap = min(end, stretch_end) - max(begin, stretch_begin)
        if overlap > 0:
            by_cause[cause] += overlap
    causes = ", ".join(f"{cause} {cycles:.10g}" for cause, cycles in by_cause.most_common())
    return Link(begin, end, f"{what} ({causes})" if causes else what)


def causes_of(explanations: Sequence[Explanation]) -> list[str]:
    """Returns all causes, sorted by their maximum cycles at any point, largest first."""
    largest: dict[str, float] = {}
    for explanation in explanations:
        for cause, cycles in explanation.waits.items():
            largest[cause] = max(largest.get(cause, 0.0), cycles)
    return sorted(largest, key=lambda cause: -largest[cause])


def pairs_of(explanations: Sequence[Explanation]) -> list[list[Explanation]]:
    """Groups explanations of several points by kernel, for tables side by side."""
    ordered = sorted(explanations, key=lambda explanation: str(explanation.row["kernel"]))
    return [list(group) for _, group in groupby(ordered, key=lambda explanation: str(explanation.row["kernel"]))]
