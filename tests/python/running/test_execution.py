from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import fake_core
import pytest

from nocbench.points import simulation
from nocbench.points.point import Point
from nocbench.points.selection import select_points
from nocbench.running.details import detail_path
from nocbench.running.engines.engine import Crashed, Function, Outcome
from nocbench.running.engines.in_process import InProcess
from nocbench.running.execution import run_points
from nocbench.support.errors import InputError
from nocbench.support.revision import revision

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

pytestmark = pytest.mark.usefixtures("fake_simulator")


class Backwards:
    """Engine that returns outcomes in reverse order, and loses or kills chosen tasks."""

    description = "an engine for tests"

    def __init__(self, lost: Sequence[int] = (), killed: Sequence[int] = ()) -> None:
        self.lost = lost
        self.killed = killed
        self.tasks: list[Any] = []

    def run(self, function: Function, tasks: Sequence[Any]) -> Generator[Outcome, None, None]:
        self.tasks = list(tasks)
        outcomes = [outcome for outcome in InProcess().run(function, tasks) if outcome.index not in self.lost]
        for outcome in reversed(outcomes):
            yield Crashed(outcome.index, "killed") if outcome.index in self.killed else outcome


def test_rows_are_in_the_order_of_the_points_whatever_the_engine() -> None:
    points = select_points([])
    assert run_points(points, InProcess()).rows == run_points(points, Backwards()).rows


def test_rows_carry_the_revision_and_every_kernel() -> None:
    rows = run_points(select_points(["dram_unary"], tier="quick", architectures=["blackhole"]), InProcess()).rows
    assert [(row["kernel"], row["num_transactions"], row["call_size_bytes"]) for row in rows] == [
        ("Receiver", 1, 64),
        ("Sender", 1, 64),
        ("Receiver", 1, 128),
        ("Sender", 1, 128),
    ]
    assert {row["revision"] for row in rows} == {revision()}


def test_long_points_go_first() -> None:
    engine = Backwards()
    run_points(select_points(["4"], architectures=["blackhole"]), engine)
    costs = [point.relative_cost for task in engine.tasks for point in task.points]
    assert costs == sorted(costs, reverse=True)


def test_a_sample_goes_before_them_where_there_are_many() -> None:
    engine = Backwards()
    ratios: list[float] = []
    points = select_points(["4"], architectures=["blackhole"], axes={"call_size": "64:6400:+64"}, tier="quick")
    run_points(points, engine, on_progress=lambda _, ratio: ratios.append(ratio()))
    costs = [task.points[0].relative_cost for task in engine.tasks]
    num_sampled = next(at for at in range(len(costs)) if costs[at:] == sorted(costs[at:], reverse=True))
    assert len(costs) // 10 < num_sampled < len(costs) // 5
    assert max(costs[:num_sampled]) > 10 * min(costs[:num_sampled])
    assert ratios[-1] == 0


def test_crashed_and_lost_points_are_reported_and_cost_nothing_else() -> None:
    points = select_points(["4"], architectures=["blackhole"], axes={"call_size": "64"})
    measurements = run_points(points, Backwards(lost=[0], killed=[2]))
    assert [row["num_transactions"] for row in measurements.rows] == [4]
    assert [(crash.point.parameters[0][1], crash.reason) for crash in measurements.crashes] == [
        ("1", "killed"),
        ("16", "no outcome"),
    ]
    assert measurements.crashes[0].describe() == (
        "crashed: One to One Packet Sizes on blackhole, num_transactions=1, call_size=64: killed\n"
        "  reproduce: nocbench run 'One to One Packet Sizes' --arch blackhole -a num_transactions=1 -a call_size=64"
    )


def test_long_points_are_shortened_unless_they_shall_be_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "SHORTEN_FROM_FLIT_HOPS", 16 * fake_core.FLIT_HOPS_PER_TRANSACTION)
    points = select_points(["4"], architectures=["blackhole"], axes={"call_size": "64"})
    measurements = run_points(points, InProcess())
    assert [row["params"] for row in measurements.rows] == ["", "", "simulated_transactions=4"]
    assert [cost.shortened for _, cost in measurements.costs] == [0, 0, 1]
    measurements = run_points(points, InProcess(), whole=True)
    assert [row["params"] for row in measurements.rows] == ["", "", ""]


class TestPointsThatShareRuns:
    """Several numbers of transactions that may be predicted by shared shorter runs."""

    SIZES: ClassVar = [str(64 * number) for number in range(8, 0, -1)]  # large ones run first
    AXES: ClassVar = {"call_size": ",".join(SIZES), "num_transactions": "4,8,16"}

    def points(self, **axes: str) -> list[Point]:
        return select_points(["4"], architectures=["blackhole"], axes={**self.AXES, **axes})

    def test_go_together(self) -> None:
        engine = Backwards()
        measurements = run_points(self.points(), engine)
        assert [[point.parameters for point in task.points] for task in engine.tasks] == [
            [(("num_transactions", number), ("call_size", size)) for number in ("16", "8", "4")] for size in self.SIZES
        ]
        assert measurements.rows == [row for point in self.points() for row in run_points([point], InProcess()).rows]

    @pytest.mark.parametrize("axes", [{"num_transactions": "1:9:+1"}, {"call_size": "64,128"}])
    def test_do_not_where_workers_would_have_nothing_to_do(self, axes: dict[str, str]) -> None:
        engine = Backwards()
        run_points(self.points(**axes), engine)
        assert {len(task.points) for task in engine.tasks} == {1}

    def test_do_not_where_nothing_is_shortened(self) -> None:
        engine = Backwards()
        run_points(self.points(), engine, whole=True)
        assert [len(task.points) for task in engine.tasks] == [1] * 24

    def test_one_that_crashes_costs_the_others_nothing(self) -> None:
        engine = Backwards(killed=[0])
        done: list[int] = []
        measurements = run_points(self.points(), engine, on_progress=lambda number, _: done.append(number))
        again = [(("num_transactions", number), ("call_size", "512")) for number in ("16", "8", "4")]
        assert [[point.parameters for point in task.points] for task in engine.tasks] == [[one] for one in again]
        assert [crash.point.parameters for crash in measurements.crashes] == again[:1]
        assert [crash.reason for crash in measurements.crashes] == ["killed"]
        assert len(measurements.rows) == 23
        assert done == list(range(1, 25))

    def test_name_the_one_that_is_rejected(self) -> None:
        points = self.points(fault="refuse")
        with pytest.raises(InputError, match="One to One Packet Sizes on blackhole, fault=refuse, num_transactions=16"):
            run_points(points, InProcess())


def test_costs_are_those_of_the_points_in_their_order() -> None:
    points = select_points(["4", "5"], architectures=["blackhole"], axes={"call_size": "64", "fault": "none,raise"})
    costs = run_points(points, Backwards()).costs
    assert [point for point, _ in costs] == [point for point in points if dict(point.parameters)["fault"] == "none"]
    for point, cost in costs:
        assert cost.points == 1
        assert cost.flit_hops == fake_core.FLIT_HOPS_PER_TRANSACTION * int(dict(point.parameters)["num_transactions"])
        assert cost.cpu_seconds >= 0
        assert cost.peak_bytes > 2**20


def test_progress() -> None:
    done: list[int] = []
    run_points(select_points(["4"], tier="quick"), InProcess(), on_progress=lambda number, _: done.append(number))
    assert done == [1, 2, 3, 4]


def test_a_rejected_point_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    points = select_points(["4"], architectures=["blackhole"], axes={"call_size": "64", "fault": "none,refuse"})
    with pytest.raises(InputError) as error:
        run_points(points, InProcess(), detail_directory=tmp_path)
    assert str(error.value) == (
        "One to One Packet Sizes on blackhole, fault=refuse, num_transactions=16, call_size=64: "
        "a barrier that can never be met"
    )
    assert [path.name for path in tmp_path.iterdir()] == []


def test_details(tmp_path: Path) -> None:
    points = select_points(["4"], tier="quick", architectures=["blackhole"], settings=[("router.hop_cycles", "10")])
    measurements = run_points(points, InProcess(), detail_directory=tmp_path / "details")
    files = sorted(
        path.relative_to(tmp_path / "details") for path in (tmp_path / "details").rglob("*") if path.is_file()
    )
    assert files == sorted(detail_path(point) for point in points)
    document = json.loads((tmp_path / "details" / detail_path(points[0])).read_text())
    assert document == {
        "arch": "blackhole",
        "board": measurements.rows[0]["board"],
        "test": "One to One Packet Sizes",
        "parameters": {"num_transactions": "1", "call_size": "64"},
        "settings": [["router.hop_cycles", "10"]],
        "rows": [{key: value for key, value in measurements.rows[0].items() if key != "revision"}],
        "data_faults": [""],
        "statistics": {},
        "cores": [
            {
                "kernel": "Sender",
                "x": 0,
                "y": 0,
                "physical_x": 1,
                "physical_y": 1,
                "noc": 0,
                "riscv": 0,
                "latency_cycles": 300.5,
                "bandwidth_bytes_per_cycle": 64 / 300.5,
                "waits": {"issue": 300.5},
                "zone": "RISCV0",
            }
        ],
        "links": [{"noc": 0, "x": 1, "y": 1, "direction": direction, "flits": 1} for direction in ("x", "niu_in")],
        "packets": [],
        "memories": [],
        "deliveries": [{"x": 2, "y": 2, "bytes": 64}],
        "elapsed_cycles": 400,
        "floor_plan": json.loads(json.dumps(fake_core.describe_floor_plan("blackhole"))),
    }


def test_detail_paths_are_stable_and_different() -> None:
    axes = (("num_transactions", "16"), ("call_size", "1024"))
    plain = Point("blackhole", "", "One to One Packet Sizes", axes)
    assert detail_path(plain) == Path("blackhole/one_to_one_packet_sizes/num_transactions_16_call_size_1024.json")
    others = [
        Point("blackhole", "p100", "One to One Packet Sizes", axes),
        Point("blackhole", "", "One to One Packet Sizes", (("destination", "1,1"), *axes)),
        Point("blackhole", "", "One to One Packet Sizes", (("destination", "1;1"), *axes)),
        Point("blackhole", "", "One to One Packet Sizes", axes, (("router.hop_cycles", "9"),)),
    ]
    assert len({detail_path(point) for point in [plain, *others]}) == 5
    assert detail_path(others[1]).name == (
        "num_transactions_16_call_size_1024_destination_1_1_" + detail_path(others[1]).stem[-8:] + ".json"
    )
