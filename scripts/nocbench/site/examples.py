"""Example of a test: a point with the use of its links and the beginning of its time line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.gating.verdicts import PointVerdict, Verdict
from nocbench.one_point.heat_map import heat_map_of
from nocbench.pages.sections import ALL_PARAMS
from nocbench.points.selection import select_one_point
from nocbench.reports.texts import Texts
from nocbench.results.result_files import rows_of
from nocbench.running.details import details_of
from nocbench.support.wording import limiter_in_words

if TYPE_CHECKING:
    from nocbench.one_point.heat_map import HeatMap
    from nocbench.pages.sections import Section
    from nocbench.points.point import Point
    from nocbench.points.point_results import PointTrace

_MOST_WORK = 60_000
"""Most cycles times cores of an example, so that most of them run within a second."""

_MOST_KERNELS = 6
_MOST_TRANSACTIONS = 40
_MOST_RECORDS = 2000


def point_of_example(section: Section) -> Point | None:
    """Returns the point with the highest bandwidth of those that run quickly; None if all take long."""
    quick = [row for row in rows_of(section.results) if row["latency_cycles"] * row["num_cores"] <= _MOST_WORK]
    if not quick:
        return None
    row = max(quick, key=lambda row: (row["bandwidth_bytes_per_cycle"], -row["latency_cycles"]))
    point = PointVerdict.of_row(row | {"params": row[ALL_PARAMS]}, Verdict.UNGATED, head=row)
    axes, settings = point.values()
    return select_one_point(point.test, arch=point.arch, board=point.board, axes=axes, settings=settings)


def example_data(point: Point) -> dict[str, Any]:
    """Runs a point, in any process. Returns its floor plan and the beginning of its time line as JSON values."""
    heat_map = heat_map_of(details_of(point, point.catalogue.run_point(point)))
    trace = point.catalogue.trace_point(point, _MOST_RECORDS)
    return {
        "point": point.describe(),
        "command": point.command(),
        "floorPlan": _floor_plan(heat_map),
        "timeLine": _time_line(trace),
    }


def _floor_plan(heat_map: HeatMap) -> dict[str, Any]:
    """Returns the tiles, row by row, with the work of those that have any; and the links between routers."""
    kinds = Texts()
    return {
        "columns": heat_map.columns,
        "cycles": heat_map.elapsed_cycles,
        "networks": [network.name for network in heat_map.networks],
        "tiles": [[tile.x, tile.y, kinds.place(tile.kind), *(tile.logical or ())] for tile in heat_map.tiles],
        "kinds": kinds.all(),
        "work": [
            {
                "tile": number,
                "kernels": [f"{kernel.kernel}: {kernel.bytes_per_cycle:.2f} B/cycle" for kernel in tile.kernels],
                "delivered": round(tile.delivered_bytes_per_cycle, 2),
            }
            for number, tile in enumerate(heat_map.tiles)
            if tile.kernels or tile.delivered_bytes_per_cycle
        ],
        "links": [
            [link.noc, link.x, link.y, *directions[link.direction], round(link.utilisation, 3)]
            for link in heat_map.links
            if link.direction in (directions := heat_map.networks[link.noc].directions)
        ],
    }


def _time_line(trace: PointTrace) -> dict[str, Any]:
    """Returns the first kernels with their time by cause, and the first transactions of these kernels' tiles."""
    kernels = trace.kernels[:_MOST_KERNELS]
    places = {(kernel["physical_x"], kernel["physical_y"]) for kernel in kernels}
    of_kernels = [transaction for transaction in trace.transactions if transaction["from"] in places]
    shown = sorted(of_kernels, key=lambda transaction: float(transaction["accepted"]))[:_MOST_TRANSACTIONS]
    end = max((transaction["phases"][-1][1] for transaction in shown), default=0.0)
    texts = Texts()
    return {
        "end": end or max((stretch[2] for kernel in kernels for stretch in kernel["stretches"]), default=0.0),
        "numTransactions": trace.num_transactions,
        "numKernels": len(trace.kernels),
        "phases": [name for name, _, _ in trace.phase_kinds],
        "kernels": [
            {
                "name": kernel["kernel"] + (f" (riscv_{kernel['riscv']})" if kernel["riscv"] >= 0 else ""),
                "place": [kernel["physical_x"], kernel["physical_y"]],
                "stretches": [
                    [texts.place(limiter_in_words(cause)), begin, ended]
                    for cause, begin, ended in kernel["stretches"]
                    if not end or begin < end
                ],
            }
            for kernel in kernels
        ],
        "transactions": [
            {
                "kind": transaction["kind"],
                "bytes": transaction["bytes"],
                "from": transaction["from"],
                "to": transaction["to"],
                "begin": transaction["accepted"],
                "phases": transaction["phases"],
            }
            for transaction in shown
        ],
        "causes": texts.all(),
    }
