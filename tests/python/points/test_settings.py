from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from nocbench.points.selection import select_one_point, select_points
from nocbench.points.settings import combine_settings, parse_setting, setting_to_text
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = pytest.mark.usefixtures("fake_simulator")


@pytest.fixture
def list_fields(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def field(value: object) -> dict[str, object]:
        return {"properties": {"value": value}}

    numbers = {"type": "array", "items": {"type": "integer"}}
    torus = {
        "properties": {
            "grid": {"properties": {"pcie_tiles": field({"type": "array", "items": numbers})}},
            "boards": {"additionalProperties": {"properties": {"harvested_rows": field(numbers)}}},
        }
    }
    mesh = {"properties": {"mesh": {"properties": {"hop_cycles": field({"type": "number"})}}}}
    schema = {"$defs": {"tensix_torus": torus, "epiphany_mesh": mesh}}
    monkeypatch.setattr(fake_simulator, "architecture_json_schema", lambda: json.dumps(schema))


@pytest.mark.parametrize(
    ("field", "text", "values"),
    [
        ("router.hop_cycles", "9", ["9"]),
        ("router.hop_cycles", "8,9, 10", ["8", "9", "10"]),
        ("router.hop_cycles", "8:10:+1", ["8", "9", "10"]),
        ("risc.read_call_cycles", "1:1.5:+0.1", ["1", "1.1", "1.2", "1.3", "1.4", "1.5"]),
        ("risc.read_call_cycles", "100:400:x2", ["100", "200", "400"]),
        ("risc.read_call_cycles", "1:3:x1.5", ["1", "1.5", "2.25"]),
        ("risc.read_call_cycles", "0:1:+0.5,7", ["0", "0.5", "1", "7"]),
        ("l1.size_bytes", "64KiB:256KiB:x2", ["65536", "131072", "262144"]),
        ("l1.size_bytes", "1MiB", ["1048576"]),
        ("mesh.hop_cycles", "1.5,2", ["1.5", "2"]),
        ("board.harvested_rows", "1,2", ["1,2"]),
        ("board.harvested_rows", "[1,2],[3,4]", ["[1,2]", "[3,4]"]),
        ("board.harvested_rows", "[]", ["[]"]),
        ("board.harvested_rows", "1:3:+1", ["1", "2", "3"]),
        ("grid.pcie_tiles", "[[0, 3]]", ["[[0, 3]]"]),
        ("grid.pcie_tiles", "[0,3],[1,3]", ["[0,3],[1,3]"]),
        ("grid.pcie_tiles", "[[0,3]],[[1,3]]", ["[[0,3]]", "[[1,3]]"]),
    ],
)
@pytest.mark.usefixtures("list_fields")
def test_parse_setting(field: str, text: str, values: list[str]) -> None:
    assert parse_setting(field, text) == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8,,9", "f=8,,9: an empty value between commas"),
        ("9:8:+1", "f=9:8:+1: the range begins above its end"),
        ("1:2:+0", "f=1:2:+0: the range never ends"),
        ("1:2:x1", "f=1:2:x1: the range never ends"),
        ("1:2", "f=1:2: a range is first:last:xFACTOR or first:last:+STEP"),
        ("1:2:+1.", "f=1:2:+1.: '1.' is not a whole number"),
    ],
)
def test_parse_setting_refuses(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_setting("f", text)
    assert str(error.value).startswith(message)


def test_combinations() -> None:
    assert combine_settings([]) == [()]
    assert combine_settings([("a.x", "1,2"), ("a.y", "3,4")]) == [
        (("a.x", "1"), ("a.y", "3")),
        (("a.x", "1"), ("a.y", "4")),
        (("a.x", "2"), ("a.y", "3")),
        (("a.x", "2"), ("a.y", "4")),
    ]
    with pytest.raises(InputError, match=r"--set a[.]x is given twice; list its values with commas"):
        combine_settings([("a.x", "1"), ("a.x", "2")])


@pytest.mark.parametrize(
    ("value", "text"), [(8, "8"), ([8, 9], "8,9"), ((1, 2), "[1,2]"), ([(1, 2), (3, 4)], "[1,2],[3,4]"), (1.5, "1.5")]
)
def test_setting_to_text(value: object, text: str) -> None:
    assert setting_to_text(value) == text


def test_settings_vary_slowest() -> None:
    points = select_points(["4"], tier="quick", settings=[("router.hop_cycles", "8,9")])
    assert len(points) == 2 * 2 * 2
    assert [(point.settings[0][1], point.arch) for point in points[::2]] == [
        ("8", "blackhole"),
        ("8", "wormhole_b0"),
        ("9", "blackhole"),
        ("9", "wormhole_b0"),
    ]


def test_a_refused_value_is_known_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def refuse_ten(arch: str, board: str, settings: object) -> None:
        tried.append((arch, board, settings))
        if settings == (("router.hop_cycles", "10"),):
            raise InputError("setting router.hop_cycles=10: expected less")

    monkeypatch.setattr("nocbench.points.settings.describe_architecture", refuse_ten)
    with pytest.raises(InputError, match="expected less"):
        select_points(["4"], architectures=["blackhole"], settings=[("router.hop_cycles", "8:12:+1")])
    assert len(tried) == 5
    with pytest.raises(InputError, match="expected less"):
        select_points(["4"], architectures=["blackhole"], settings=[("router.hop_cycles", "10")])
    # Checking a thousand values would take longer than many sweeps; invalid ones are detected in their points.
    assert len(select_points(["4"], tier="quick", settings=[("router.hop_cycles", "1:1000:+1")])) == 4000


def test_one_point_has_one_value_of_each_field() -> None:
    with pytest.raises(InputError) as error:
        select_one_point(
            "4",
            arch="blackhole",
            axes={"num_transactions": "1", "call_size": "64"},
            settings=[("router.hop_cycles", "8,9")],
        )
    assert str(error.value) == (
        "'One to One Packet Sizes' on blackhole: expected one point, found 2: router.hop_cycles has 2 values (8, 9); "
        "choose one of each, such as --set router.hop_cycles=9"
    )
