"""Why a point took as long as it did: where its cycles went, and the chain of events that the end waited for."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from nocbench.points import simulator
from nocbench.support.units import plural
from nocbench.support.wording import limiter_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.points.point import Point
    from nocbench.points.simulator import PointTrace
    from nocbench.support.columns import Row

_MAX_RECORDS = 500_000


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the chain: what the end of the kernel waited for during some cycles.

    Attributes:
        begin: cycle from the beginning of the timed zone.
        end: cycle at which the next link begins.
        what: in words.
    """

    begin: float
    end: float
    what: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Of one result row, at its median core.

    Attributes:
        point: in words.
        row: the result row.
        of_maximum: its bandwidth as a share of the highest that it could have.
        core: the median core (the lower middle one of an even number) and its RISC, in words.
        latency_cycles: of that core.
        waits: cause to cycles; they add up to the latency.
        chain: without gap or overlap, from the first cycle to the last; empty if the point has too many transactions.
    """

    point: str
    row: Row
    of_maximum: float
    core: str
    latency_cycles: float
    waits: dict[str, float]
    chain: tuple[Link, ...]

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return asdict(self)


def explain(point: Point) -> list[Explanation]:
    """Runs a point and explains each of its result rows.

    Raises:
        InputError: the simulator refuses the point, or it has no kernels.
    """
    result = simulator.run_point(point)
    trace = simulator.trace_point(point, _MAX_RECORDS)
    explanations = []
    for row in result.rows:
        cores = [core for core in result.cores if core["kernel"] == row["kernel"]]
        cores.sort(key=lambda core: (core["latency_cycles"], core["y"], core["x"]))
        core = cores[(len(cores) - 1) // 2]
        maximum = simulator.theoretical_bytes_per_cycle(row["arch"], row["test"], row["board"], row["params"])
        explanations.append(
            Explanation(
                point=point.describe(),
                row=row,
                of_maximum=row["bandwidth_bytes_per_cycle"] / maximum,
                core=f"core ({core['x']}, {core['y']}), riscv_{core['riscv']}",
                latency_cycles=float(core["latency_cycles"]),
                waits=dict(sorted(core["waits"].items(), key=lambda item: -item[1])),
                chain=tuple(_chain(trace, core)),
            )
        )
    return explanations


def _chain(trace: PointTrace, core: Mapping[str, Any]) -> list[Link]:
    """Goes back from the end of a core's timed zone, from each event to the one that it waited for."""
    if max(trace.num_transactions, trace.num_stretches) > trace.max_records:
        return []
    place = (core["physical_x"], core["physical_y"])
    kernel = next(
        kernel
        for kernel in trace.kernels
        if (kernel["physical_x"], kernel["physical_y"]) == place and kernel["riscv"] == core["riscv"]
    )
    begin, end = next((begin, end) for name, begin, end in reversed(kernel["zones"]) if name.startswith("RISCV"))
    own = [
        transaction
        for transaction in trace.transactions
        if transaction["from"] == place
        and transaction["noc"] == core["noc"]
        and begin <= transaction["accepted"]
        and _end(transaction) <= end
    ]
    links = _links(
        sorted(own, key=lambda transaction: (transaction["started"], transaction["accepted"])), kernel, begin, end
    )
    return [replace(link, begin=link.begin - begin, end=link.end - begin) for link in links]


def _links(own: Sequence[Mapping[str, Any]], kernel: Mapping[str, Any], begin: float, end: float) -> list[Link]:
    if not own:
        return [_kernel_link(kernel, begin, end, "the kernel")]
    last = max(own, key=_end)
    number = own.index(last)
    links: list[Link] = []
    if _end(last) < end:
        links.append(_kernel_link(kernel, _end(last), end, "the kernel goes on"))
    links += reversed(_steps_from_start(last, number, len(own)))
    # Then the transactions before it, for as long as each one waited in the NIU for the one before.
    first = number
    while (
        first > 0
        and own[first]["started"] > own[first]["accepted"]
        and own[first - 1]["started"] < own[first]["started"]
    ):
        first -= 1
    if first < number:
        links.append(_queue_link(own[first : number + 1]))
    issued = own[first]["started"]
    calls = f", {plural(first, 'command')} before this one" if first else ""
    if issued > begin:
        links.append(_kernel_link(kernel, begin, issued, f"the kernel gets as far as this command{calls}"))
    return [link for link in reversed(links) if link.end > link.begin]


def _waited_for(transaction: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    """Whether it was in the NIU when the one before it left."""
    return bool(transaction["accepted"] < transaction["started"] and before["started"] < transaction["started"])


def _queue_link(queue: Sequence[Mapping[str, Any]]) -> Link:
    begin, end = queue[0]["started"], queue[-1]["started"]
    count = len(queue) - 1
    causes = Counter(str(transaction["start_cause"]) for transaction in queue[1:])
    cause = limiter_in_words(causes.most_common(1)[0][0])
    kind = queue[0]["kind"]
    every = f", one every {(end - begin) / count:.4g} cycles" if count > 1 else ""
    return Link(
        begin,
        end,
        f"{plural(count, kind)} of at most {max(t['bytes'] for t in queue)} B leave before it{every}: {cause}",
    )


def _steps_from_start(transaction: Mapping[str, Any], number: int, count: int) -> list[Link]:
    """What a transaction did since it left the NIU."""
    kind = str(transaction["kind"])
    which = f"{kind} {number + 1} of {count} ({transaction['bytes']} B)"
    is_read = kind == "read"
    times = [(transaction["started"], "")]
    if transaction["path_reserved"]:
        times += [
            (transaction["path_requested"], f"{which} waits until it may reserve its tree"),
            (transaction["path_reserved"], f"{which} reserves its tree"),
        ]
    hops = plural(transaction["request_hops"], "hop")
    times += [
        (transaction["request_head"], f"{which}: its request is on the way, {hops}"),
        (transaction["request_arrived"], "its request arrives" if is_read else "its data arrive"),
        (transaction["service_expected"], "the receiver takes it"),
    ]
    if not transaction["posted"]:
        back = plural(transaction["response_hops"], "hop")
        times += [
            (transaction["response_started"], "the response waits for its turn, behind others"),
            (transaction["response_head"], f"the response is on the way back, {back}"),
            (transaction["response_arrived"], "its data arrive" if is_read else "the acknowledgement arrives"),
        ]
    links = []
    reached = times[0][0]
    for time, what in times[1:]:
        if time > reached:
            links.append(Link(reached, time, what))
            reached = time
    return links


def _kernel_link(kernel: Mapping[str, Any], begin: float, end: float, what: str) -> Link:
    """A stretch of a kernel's time, by what it did or waited for."""
    by_cause: Counter[str] = Counter()
    for cause, stretch_begin, stretch_end in kernel["stretches"]:
        overlap = min(end, stretch_end) - max(begin, stretch_begin)
        if overlap > 0:
            by_cause[cause] += overlap
    causes = ", ".join(f"{cause} {cycles:.10g}" for cause, cycles in by_cause.most_common())
    return Link(begin, end, f"{what} ({causes})" if causes else what)


def _end(transaction: Mapping[str, Any]) -> float:
    return float(transaction["service_expected" if transaction["posted"] else "response_arrived"])


def causes_of(explanations: Sequence[Explanation]) -> list[str]:
    """All causes, those that took most at any of the points first."""
    largest: dict[str, float] = {}
    for explanation in explanations:
        for cause, cycles in explanation.waits.items():
            largest[cause] = max(largest.get(cause, 0.0), cycles)
    return sorted(largest, key=lambda cause: -largest[cause])


def pairs_of(explanations: Sequence[Explanation]) -> list[list[Explanation]]:
    """Groups the explanations of several points by kernel, for tables side by side."""
    ordered = sorted(explanations, key=lambda explanation: str(explanation.row["kernel"]))
    return [list(group) for _, group in groupby(ordered, key=lambda explanation: str(explanation.row["kernel"]))]
