#!/usr/bin/env python3
"""Compares rules by which busy DMA engines of an Epiphany row could get their reads of external memory served.

A small model of one row of four cores, of which docs/epiphany.md, "The columns of DMA reads", has the results. An
engine sends a request a few cycles after the one before, if it has less than its limit of reads under way. Each router
has room for one request of its own core and one that passes. The link takes requests into a queue and serves a row
every so often, in the order in which they came; data come back after a fixed time. Rows are alike, so that one is
enough.

Example:
    .venv/bin/python scripts/studies/compare_read_arbitration.py
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from dataclasses import dataclass, field

NUM_COLUMNS = 4
NUM_DWORDS = 256
SERVICE_CYCLES = 4 * 34.2  # per read, with four rows in round-robin order
RETURN_CYCLES = 480
START_CYCLES = 380  # before the first request, and after the service of the last one
LINK_CYCLES = 8  # per request on a link
POLL_CYCLES = 19  # interval between a core's reads of its engine's status
HOP_CYCLES = 2
MEGABYTES_PER_SECOND = 2048 * 600.0  # to be divided by cycles
MEASURED = (8.8, 11.1, 10.5, 15.0)

TURNS = "turns"
OWN_FIRST = "own first"
PASSING_FIRST = "passing first"
OLDEST_FIRST = "oldest first"


@dataclass(frozen=True)
class Rules:
    """A set of arbitration rules.

    Attributes:
        name: name in the table.
        order: arbitration between two requests in the routers of columns 0 to 3.
        under_way: maximum number of outstanding reads of an engine.
        queue: maximum number of a row's requests that wait at the link.
        reopens_at: length to which a full queue must drain before it accepts requests; None: any length below the
            maximum.
        interval_cycles: minimum time between requests of an engine.
    """

    name: str
    order: tuple[str, ...] = (TURNS,) * NUM_COLUMNS
    under_way: int = 11
    queue: int = 22
    reopens_at: int | None = None
    interval_cycles: int = LINK_CYCLES


@dataclass
class Request:
    """A read: column of the engine, time of sending, time of arrival at the next router or of the end of service."""

    column: int
    sent: int
    ready: float


@dataclass
class Router:
    """State of a router: waiting requests, and the end of the current use of its output."""

    own: Request | None = None
    passing: Request | None = None
    own_is_next: bool = True
    busy_until: int = 0


@dataclass
class Engine:
    """State of an engine."""

    unsent: int = NUM_DWORDS
    under_way: int = 0
    returned: int = 0
    next_request: int = 0


@dataclass
class Row:
    """A row of the mesh, simulated cycle by cycle."""

    rules: Rules
    routers: list[Router] = field(default_factory=lambda: [Router() for _ in range(NUM_COLUMNS)])
    engines: list[Engine] = field(default_factory=lambda: [Engine() for _ in range(NUM_COLUMNS)])
    queue: deque[Request] = field(default_factory=deque)
    returning: deque[tuple[float, int]] = field(default_factory=deque)
    last_service: float = 0.0
    is_shut: bool = False

    def run(self) -> list[int]:
        """Returns the cycle in which the last data of each column arrive."""
        done = [0] * NUM_COLUMNS
        now = 0
        while not all(done):
            self._return_data(now)
            for column, engine in enumerate(self.engines):
                self._send(column, engine, now)
                if engine.returned == NUM_DWORDS and not done[column]:
                    done[column] = now
            for column in reversed(range(NUM_COLUMNS)):
                self._arbitrate(column, now)
            now += 1
        return done

    def _return_data(self, now: int) -> None:
        while self.queue and self.queue[0].ready <= now:
            self.returning.append((now + RETURN_CYCLES, self.queue.popleft().column))
        if self.rules.reopens_at is not None:
            self.is_shut = len(self.queue) >= self.rules.queue or (
                self.is_shut and len(self.queue) > self.rules.reopens_at
            )
        while self.returning and self.returning[0][0] <= now:
            engine = self.engines[self.returning.popleft()[1]]
            engine.under_way -= 1
            engine.returned += 1
            engine.next_request = max(engine.next_request, now + 1)

    def _send(self, column: int, engine: Engine, now: int) -> None:
        router = self.routers[column]
        may_send = engine.unsent > 0 and engine.under_way < self.rules.under_way and now >= engine.next_request
        if router.own is None and may_send:
            router.own = Request(column, now, now)
            engine.unsent -= 1
            engine.under_way += 1
            engine.next_request = now + self.rules.interval_cycles

    def _has_room(self, column: int) -> bool:
        if column < NUM_COLUMNS:
            return self.routers[column].passing is None
        return len(self.queue) < self.rules.queue and not self.is_shut

    def _arbitrate(self, column: int, now: int) -> None:
        router = self.routers[column]
        own = router.own
        passing = router.passing if router.passing is not None and router.passing.ready <= now else None
        request = self._chosen(column, own, passing)
        if request is None or now < router.busy_until or not self._has_room(column + 1):
            return
        if request is own:
            router.own = None
            self.engines[column].next_request = max(self.engines[column].next_request, now + self.rules.interval_cycles)
        else:
            router.passing = None
        router.own_is_next = request is not own
        router.busy_until = now + LINK_CYCLES
        if column + 1 < NUM_COLUMNS:
            self.routers[column + 1].passing = Request(request.column, request.sent, now + HOP_CYCLES)
        else:
            self.last_service = max(self.last_service, now) + SERVICE_CYCLES
            self.queue.append(Request(request.column, request.sent, self.last_service))

    def _chosen(self, column: int, own: Request | None, passing: Request | None) -> Request | None:
        if own is None or passing is None:
            return own or passing
        order = self.rules.order[column]
        is_own = {
            TURNS: self.routers[column].own_is_next,
            OWN_FIRST: True,
            PASSING_FIRST: False,
            OLDEST_FIRST: own.sent < passing.sent,
        }
        return own if is_own[order] else passing


ALL_RULES = (
    Rules("turns, without a limit", under_way=64),
    Rules("turns, with a limit"),
    Rules("own requests first", (OWN_FIRST,) * NUM_COLUMNS),
    Rules("those that pass first", (PASSING_FIRST,) * NUM_COLUMNS),
    Rules("turns, shut until a part is empty", queue=26, reopens_at=10),
    Rules("own first, shut until a part is empty", (OWN_FIRST,) * NUM_COLUMNS, 10, 26, 10),
    Rules("own first, seven at a time, no limit", (OWN_FIRST,) * NUM_COLUMNS, 64, 13, 6, POLL_CYCLES),
    Rules("turns, seven at a time, no limit", (TURNS,) * NUM_COLUMNS, 64, 13, 6, POLL_CYCLES),
    Rules("the oldest first", (OLDEST_FIRST,) * NUM_COLUMNS),
    Rules("own first at column 1, turns elsewhere", (TURNS, OWN_FIRST, TURNS, TURNS)),
)


def main() -> int:
    """Prints the table; returns 0."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    rows = [("measured", list(MEASURED))]
    rows += [
        (rules.name, [MEGABYTES_PER_SECOND / (cycle + START_CYCLES) for cycle in Row(rules).run()])
        for rules in ALL_RULES
    ]
    for name, speeds in rows:
        sys.stdout.write(f"{name:40}{''.join(f'{speed:7.2f}' for speed in speeds)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
