"""Time diagrams of a store, a load and a DMA read, from traces: positions of transactions on the mesh against time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from nocbench.drawing.panels import add_legend, make_panels, set_panel_title
from nocbench.drawing.pictures import Picture
from nocbench.pages.epiphany.blocks import Block
from nocbench.pages.epiphany.runs import BY_ACTIVE_CORES
from nocbench.points.selection import select_one_point
from nocbench.published.transfers import DMA

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.epiphany.runs import Runs
    from nocbench.points.point import Point
    from nocbench.points.point_results import PointTrace

_MOST_RECORDS = 10_000
_POLL = "poll"
_ISSUE = "issue"
_CORE_PLACE = -0.4  # horizontal position of the bar of the core's time, left of its router
_OUT, _BACK, _AT_THE_LINK, _WAITS = "C0", "C1", "0.55", "C3"


class Diagram(NamedTuple):
    """Content of a panel: a transfer of `num_bytes` by the only active core."""

    label: str
    direction: str
    executor: str
    num_bytes: int


DIAGRAMS = (
    Diagram("Stores: the core goes on", "write", "core", 64),
    Diagram("Loads: the core waits for each", "read", "core", 24),
    Diagram("DMA read: requests follow each other", "read", DMA, 64),
)


@dataclass(frozen=True)
class Way:
    """Path of a transaction; times are in cycles.

    Attributes:
        hops: number of hops from the core to the off-chip link.
        left, at_link: times of departure from the core and of arrival at the link.
        served: time at which a write is in external memory, or a read's data are back at the link.
        back: time at which a read's data are at the core; None for a write.
    """

    hops: int
    left: float
    at_link: float
    served: float
    back: float | None


def time_block(runs: Runs) -> Block | None:
    """Returns the block of diagrams; None if results lack the test whose points are traced."""
    if runs.other(BY_ACTIVE_CORES) is None:
        return None
    points = [point_of(runs.arch, diagram) for diagram in DIAGRAMS]
    sizes = ", ".join(str(diagram.num_bytes) for diagram in DIAGRAMS[:-1]) + f" and {DIAGRAMS[-1].num_bytes}"
    title = f"Store, load and DMA read of external memory in time, {runs.arch}"
    block = Block("Time diagrams")
    block.parts += [
        (
            "The diagrams follow the diagrams of the document. Time runs downward. The horizontal axis shows the place "
            "on the mesh, from core (0, 0) to the off-chip link at the edge of its row. The core works alone. In the "
            f"three diagrams, it moves {sizes} bytes. Each line stands for one dword. The time at the link includes "
            "the FPGA behind the link and the memory, because the model has only the sum of these times. The bar at "
            "the left shows when the core executes instructions and when it waits. The diagrams have no lines for the "
            "start of the DMA engine. They also have no lines for the polls of its status, which stay within the "
            "router of the core. These diagrams come from traces, unlike the other pictures. "
            f"`nocbench trace '{BY_ACTIVE_CORES}' --arch {runs.arch} -a active=1 -a direction=read -a executor={DMA} "
            f"-a call_size={DIAGRAMS[-1].num_bytes}` writes the trace of the last diagram."
        ),
        Picture(title, runs.arch, "time_diagrams", partial(draw_time_diagrams, title, points)),
    ]
    return block


def point_of(arch: str, diagram: Diagram) -> Point:
    """Returns the point whose trace a diagram shows."""
    axes = {
        "direction": diagram.direction,
        "executor": diagram.executor,
        "active": "1",
        "call_size": str(diagram.num_bytes),
    }
    return select_one_point(BY_ACTIVE_CORES, arch=arch, axes=axes)


def ways_of(trace: PointTrace) -> list[Way]:
    """Returns the paths of all transactions with external memory, by time of departure."""
    ways = [_way_of(transaction) for transaction in trace.transactions if transaction["kind"] != _POLL]
    return sorted(ways, key=lambda way: way.left)


def _way_of(transaction: Mapping[str, Any]) -> Way:
    # Phases of a write: waiting, mesh, link. A read adds waiting and the way back.
    ends = [float(end) for _, end in transaction["phases"]]
    left, at_link, served = ends[:3]
    return Way(int(transaction["hops"]), left, at_link, served, ends[-1] if len(ends) > 3 else None)


def draw_time_diagrams(title: str, points: Sequence[Point]) -> Figure:
    """Traces the points, and draws a panel for each."""
    from matplotlib.lines import Line2D

    figure, panels = make_panels(title, 1, len(points))
    for axes, point, diagram in zip(panels[0], points, DIAGRAMS, strict=True):
        _draw_diagram(axes, point.catalogue.trace_point(point, _MOST_RECORDS))
        set_panel_title(axes, diagram.label)
    add_legend(
        figure,
        [
            Line2D([], [], color=_OUT, label="write or request, on its way to the link"),
            Line2D([], [], color=_BACK, label="data on their way back"),
            Line2D([], [], color=_AT_THE_LINK, linewidth=3, label="at the link and in memory"),
        ],
        [
            Line2D([], [], color=_OUT, linewidth=6, label="bar: the core executes instructions"),
            Line2D([], [], color=_WAITS, linewidth=6, label="bar: it waits"),
        ],
    )
    return figure


def _draw_diagram(axes: Axes, trace: PointTrace) -> None:
    ways = ways_of(trace)
    hops = max(way.hops for way in ways)
    (kernel,) = trace.kernels
    for cause, begin, end in kernel["stretches"]:
        color = _OUT if cause == _ISSUE else _WAITS
        axes.plot([_CORE_PLACE] * 2, [begin, end], color=color, linewidth=6, solid_capstyle="butt")
    for position, way in enumerate(ways):
        # Spread the lines of transactions that are in memory at the same time.
        place = hops + 0.1 + 0.8 * position / len(ways)
        axes.plot([0, hops], [way.left, way.at_link], color=_OUT, linewidth=1.2)
        axes.plot([hops, place], [way.at_link] * 2, color=_AT_THE_LINK, linewidth=0.4)
        axes.plot([place] * 2, [way.at_link, way.served], color=_AT_THE_LINK, linewidth=3, solid_capstyle="butt")
        if way.back is not None:
            axes.plot([hops, place], [way.served] * 2, color=_AT_THE_LINK, linewidth=0.4)
            axes.plot([hops, 0], [way.served, way.back], color=_BACK, linewidth=1.2)
    last = max(float(trace.rows[0]["latency_cycles"]), *(way.served for way in ways))
    axes.set_ylim(1.03 * last, 0)
    axes.set_xlim(_CORE_PLACE - 0.3, hops + 1.0)
    axes.set_xticks(
        [_CORE_PLACE, *range(hops), hops + 0.5],
        ["core", *(str(column) for column in range(hops)), "link, memory"],
    )
    axes.set(xlabel="Place: the core, the routers of its row by column, the link", ylabel="Time (cycles)")
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.grid(visible=False, axis="x")
