"""Variations of a flow table, which move equal data between equal roles."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nocbench.architectures.memories import memories_of
from nocbench.flow_tables.csv_table import read_csv_table
from nocbench.flow_tables.csv_text import csv_text
from nocbench.optimising.parts import ASPECTS, cores_of, named_cores
from nocbench.optimising.search import Search
from nocbench.optimising.variations import Variations
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nocbench.flow_tables.flow_table import Core, Flow, FlowTable
    from nocbench.optimising.measuring import Score

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "flows").glob("*.csv"))
ARCH = "wormhole_b0"
# Two multicasts to overlapping rectangles, flows that start after others, all kinds of partners.
MIXED = """name,kind,core,partner,call_size,num_calls,noc,vc,window,barrier_interval,start_cycle,after,\
call_interval_cycles
read,read,0 0,dram,2048,4,1,,2,,,,
read,read,0 1,dram 3,2048,4,1,2,,2,100.25,,
send,write,0 0,0 0 - 2 0,4096,,0,,,,,read,
send,write,0 1,0 0 - 0 2,4096,,0,5,,none,,read,
pass,posted_write,2 0,1 2,512,8,0,0,,,,send,64.5
pass,write,0 0,2 2,512,8,0,,,,7,send,
"""


def read_text(path: Path, text: str) -> FlowTable:
    path.write_text(text)
    return read_csv_table(path, memories_of(ARCH))


def variations_of(table: FlowTable, *aspects: str, **chosen: Any) -> Variations:  # noqa: ANN401 - of Variations
    return Variations(table, memories_of(ARCH).cores, aspects, **chosen)


def drawn_tables(variations: Variations, count: int = 60) -> Iterable[FlowTable]:
    """Returns tables tried by a search."""
    tables: list[FlowTable] = []

    def evaluate(some: Iterable[FlowTable]) -> list[Score | None]:
        some = list(some)
        tables.extend(some)
        return [None] * len(some)

    Search(variations, evaluate).run(count, seed=1)
    return tables[1:]


def data_of(flow: Flow) -> tuple[object, ...]:
    """Returns the fields of a flow that no variation may change."""
    return flow._replace(core=(0, 0), cores=((0, 0), (0, 0)), noc=0, riscv=0, virtual_channel=None)


def receivers_of(flow: Flow) -> set[Core]:
    return set(cores_of(flow.cores)) - ({flow.core} if flow.partner == "rectangle" else set())


@pytest.mark.parametrize("whole_board", [False, True])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_placements_keep_roles(example: Path, whole_board: bool) -> None:
    table = read_csv_table(example, memories_of(ARCH))
    num_tables = 0
    for placed in drawn_tables(variations_of(table, "placement", whole_board=whole_board), 20):
        num_tables += 1
        place: dict[Core, Core] = {}
        for before, after in zip(table.flows, placed.flows, strict=True):
            assert data_of(before) == data_of(after)
            assert (before.noc, before.virtual_channel) == (after.noc, after.virtual_channel)
            assert place.setdefault(before.core, after.core) == after.core
        assert len(set(place.values())) == len(place)
        for before, after in zip(table.flows, placed.flows, strict=True):
            if before.partner == "core":
                assert place.setdefault(before.cores[0], after.cores[0]) == after.cores[0]
            assert len(receivers_of(before)) == len(receivers_of(after))
            in_both = {place[core] for core in receivers_of(before) if core in place}
            if before.partner in ("core", "rectangle"):
                assert in_both <= receivers_of(after)
    assert num_tables == 19


def test_placements_stay_in_the_rectangle_unless_told_otherwise(tmp_path: Path) -> None:
    table = read_text(tmp_path / "flows.csv", "kind,core,partner,call_size\nwrite,1 1,2 1,64\nwrite,1 1,1 2,64\n")
    inside = set(cores_of(((1, 1), (2, 2))))
    tables = list(drawn_tables(variations_of(table, "placement")))
    assert len(tables) == 4 * 3 * 2 - 1  # placements of three roles on four cores, except the initial one
    assert all(inside.issuperset(named_cores(placed.flows)) for placed in tables)
    anywhere = drawn_tables(variations_of(table, "placement", whole_board=True))
    assert any(not inside.issuperset(named_cores(placed.flows)) for placed in anywhere)


def test_a_multicast_stays_a_rectangle(tmp_path: Path) -> None:
    table = read_text(tmp_path / "flows.csv", "kind,core,partner,call_size\nwrite,0 0,1 0 - 2 0,64\nwrite,0 0,3 1,64\n")
    for placed in drawn_tables(variations_of(table, "placement"), 200):
        (x, y), (last_x, last_y) = placed.flows[0].cores
        assert sorted([last_x - x, last_y - y]) == [0, 1]
        assert placed.flows[0].core not in cores_of(placed.flows[0].cores)


def test_orders_are_of_one_core(tmp_path: Path) -> None:
    table = read_text(tmp_path / "flows.csv", MIXED)
    orders = list(drawn_tables(variations_of(table, "order")))
    for ordered in orders:
        assert Counter(ordered.flows) == Counter(table.flows)
        assert [flow.core for flow in ordered.flows] == [flow.core for flow in table.flows]
    # Core (0, 0) reads on RISC 1 and then sends on RISC 0, so the flow that waits for the send cannot come first.
    sends = [[table.groups[flow.group] for flow in t.flows if flow.core == (0, 0) and flow.noc == 0] for t in orders]
    assert sends
    assert all(names == ["send", "pass"] for names in sends)


def test_what_waits_for_itself_is_no_table(tmp_path: Path) -> None:
    text = "name,kind,core,partner,call_size,after\nfirst,write,0 0,1 0,64,\nsecond,write,0 0,1 1,64,first\n"
    variations = variations_of(read_text(tmp_path / "flows.csv", text), "order")
    assert variations.table([[0, 1]]) is not None
    assert variations.table([[1, 0]]) is None


def test_names_or_flows_have_a_noc(tmp_path: Path) -> None:
    table = read_text(tmp_path / "flows.csv", MIXED)
    by_name = {tuple(flow.noc for flow in t.flows) for t in drawn_tables(variations_of(table, "noc"))}
    assert all(nocs[0] == nocs[1] and nocs[2] == nocs[3] and nocs[4] == nocs[5] for nocs in by_name)
    assert len(by_name) == 2**3 - 1
    by_flow = list(drawn_tables(variations_of(table, "noc", each_flow=True), 200))
    assert any(t.flows[0].noc != t.flows[1].noc for t in by_flow)
    assert all(flow.riscv == flow.noc for t in by_flow for flow in t.flows)


def test_virtual_channels_suit_the_kind(tmp_path: Path) -> None:
    table = read_text(tmp_path / "flows.csv", MIXED)
    channels: dict[bool, set[int | None]] = {False: set(), True: set()}
    for changed in drawn_tables(variations_of(table, "vc"), 200):
        for flow in changed.flows:
            channels[flow.partner == "rectangle"].add(flow.virtual_channel)
        # Unicasts and multicasts use separate virtual channels.
        assert [data_of(flow) for flow in changed.flows] == [data_of(flow) for flow in table.flows]
    assert channels == {False: {None, 0, 1, 2, 3}, True: {None, 4, 5}}


@pytest.mark.parametrize("text", [MIXED, *(path.read_text() for path in EXAMPLES)])
def test_written_tables_are_read_again(tmp_path: Path, text: str) -> None:
    table = read_text(tmp_path / "flows.csv", text)
    for changed in [table, *drawn_tables(variations_of(table, *ASPECTS[:2], each_flow=True), 20)]:
        again = read_text(tmp_path / "again.csv", csv_text(changed, ["made", "by a test"]))
        names = [[t.groups[flow.group] for flow in t.flows] for t in (changed, again)]
        assert names[0] == names[1]
        numbers = {changed.groups.index(name): number for number, name in enumerate(again.groups)}
        expected = [
            flow._replace(group=numbers[flow.group], after=None if flow.after is None else numbers[flow.after])
            for flow in changed.flows
        ]
        assert list(again.flows) == expected


@pytest.mark.parametrize(
    ("aspect", "text", "found"),
    [
        ("order", "kind,core,partner,call_size\nwrite,0 0,1 1,64\nwrite,1 1,0 0,64\n", "a core with several flows"),
        ("placement", "kind,core,partner,call_size\nwrite,0 0,dram,64\n", "cores that can change their roles"),
    ],
)
def test_nothing_to_vary(tmp_path: Path, aspect: str, text: str, found: str) -> None:
    table = read_text(tmp_path / "flows.csv", text)
    with pytest.raises(InputError, match=f"flows.csv: --vary {aspect}: expected {found}, found none"):
        variations_of(table, aspect)


def test_a_search_leaves_the_generator_of_others_alone(tmp_path: Path) -> None:
    variations = variations_of(read_text(tmp_path / "flows.csv", MIXED), "noc")
    random.seed(5)
    before = random.getstate()
    list(drawn_tables(variations))
    assert random.getstate() == before
