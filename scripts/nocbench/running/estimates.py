"""Estimates of the time of a run's longest points, to warn before they start."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, NamedTuple

from nocbench.points.catalogue import BUILT_IN
from nocbench.points.point import Point
from nocbench.points.simulation import can_be_shortened, run_point
from nocbench.running.engines.engine import Engine, Finished
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONG_SECONDS = 1800.0
"""Minimum estimated time of a point for a warning."""

_TRIED_FROM_BYTES = 1e7
"""Minimum number of bytes of all transactions of a core for an estimate.

Points with fewer bytes take minutes at most.
"""
_TRIED_CALL_BYTES = 4096
_TRIED_SECONDS = 0.2


class Estimate(NamedTuple):
    """Estimate of a point's cost, from a run of few and small transactions."""

    point: Point
    flit_hops: float
    seconds: float


def long_points(points: Sequence[Point], engine: Engine, *, whole: bool) -> Iterator[Estimate]:
    """Yields the estimate of each test's longest point, if not shortened and at least :data:`LONG_SECONDS`."""
    longest: dict[tuple[str, str], Point] = {}
    for point in points:
        if point.catalogue is not BUILT_IN:  # tests of suites cannot be made smaller
            continue
        if point.relative_cost >= _TRIED_FROM_BYTES and (whole or not can_be_shortened(point.test)):
            known = longest.setdefault((point.arch, point.test), point)
            if point.relative_cost > known.relative_cost:
                longest[point.arch, point.test] = point
    if not longest:
        return
    with contextlib.closing(engine.run(estimate, list(longest.values()))) as outcomes:
        found = {outcome.index: outcome.value for outcome in outcomes if isinstance(outcome, Finished)}
    for index in sorted(found):
        if found[index] is not None and found[index].seconds >= LONG_SECONDS:
            yield found[index]


def estimate(point: Point) -> Estimate | None:
    """Returns the estimate of a point from some transactions, in any process; None if the simulator refuses them."""
    parameters = dict(point.parameters)
    num_transactions = int(parameters["num_transactions"])
    call_bytes = int(parameters["call_size"])
    # Calls of all to all may be long; points that cannot be shortened move one packet or block at a time.
    tried_bytes = min(call_bytes, _TRIED_CALL_BYTES) if can_be_shortened(point.test) else call_bytes
    count = 1
    while True:
        fewer = tuple((parameters | {"num_transactions": str(count), "call_size": str(tried_bytes)}).items())
        begin_seconds = time.process_time()
        try:
            result = run_point(Point(point.arch, point.board, point.test, fewer, point.settings))
        except InputError:
            return None
        seconds = time.process_time() - begin_seconds
        if seconds >= _TRIED_SECONDS or count == num_transactions:
            times = num_transactions / count * call_bytes / tried_bytes
            return Estimate(point, result.flit_hops * times, seconds * times)
        count = min(2 * count, num_transactions)
