from __future__ import annotations

from nocbench.points.point import Point
from nocbench.running.running_costs import TABLE_COLUMNS, PointCost, RunningCost, cost_table, measured


def test_what_is_done_is_measured() -> None:
    with measured() as cost:
        big = bytearray(64 * 2**20)
        for position in range(0, len(big), 4096):
            big[position] = 1
    assert cost.points == 1
    assert cost.cpu_seconds > 0
    assert cost.peak_bytes > len(big)


def test_the_table_adds_up() -> None:
    short = Point("blackhole", "", "Short", ())
    long = Point("wormhole_b0", "", "Long", ())
    costs = [
        PointCost(short, RunningCost(1, 0, 0.5, 10_000_000, 100 * 2**20)),
        PointCost(long, RunningCost(1, 1, 7.0, 350_000_000, 120 * 2**20)),
        PointCost(short, RunningCost(1, 0, 0.5, 30_000_000, 90 * 2**20)),
    ]
    table = cost_table(costs)
    assert {len(row) for row in table} == {len(TABLE_COLUMNS)}
    assert table == [
        ["wormhole_b0", "Long", "1", "1", "7.0", "87.5 %", "3.5e+08", "50.0", "120"],
        ["blackhole", "Short", "2", "0", "1.0", "12.5 %", "4e+07", "40.0", "100"],
        ["all", "all", "3", "1", "8.0", "100.0 %", "3.9e+08", "48.8", "120"],
    ]


def test_nothing_costs_nothing() -> None:
    assert cost_table([]) == [["all", "all", "0", "0", "0.0", "0.0 %", "0", "0.0", "0"]]
