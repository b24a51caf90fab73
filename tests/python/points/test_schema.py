"""The JSON Schema generated from the table of fields accepts the architecture files and refuses mistakes in them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

from nocbench import _core

if TYPE_CHECKING:
    from collections.abc import Callable

ARCHITECTURE_FILES = sorted((Path(__file__).parents[3] / "device_model" / "archs").glob("*.yaml"))


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(_core.architecture_json_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def load(file: Path) -> dict[str, Any]:
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def test_there_are_architecture_files() -> None:
    assert {"wormhole_b0", "blackhole", "epiphany_iii", "etherbone"} <= {file.stem for file in ARCHITECTURE_FILES}


@pytest.mark.parametrize("file", ARCHITECTURE_FILES, ids=lambda file: file.stem)
def test_accepts_architecture_files(validator: jsonschema.Draft202012Validator, file: Path) -> None:
    assert [f"{error.json_path}: {error.message}" for error in validator.iter_errors(load(file))] == []


def differences(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - as JSON has it
    flits = {"value": 64, "unit": "bytes", "status": "estimated", "source": "what if"}
    return {"architecture": "wide", "based_on": "wormhole_b0", "router": {"flit_bytes": flits}} | changes


@pytest.mark.parametrize("changes", [{}, {"kind": "tensix_torus"}, {"boards": {"n300": {"memory": "gddr6"}}}])
def test_accepts_differences(validator: jsonschema.Draft202012Validator, changes: dict[str, Any]) -> None:
    assert [error.message for error in validator.iter_errors(differences(**changes))] == []


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"kind": "tensix_torus", "router": {"hop_cyles": {}}}, "$.router"),
        ({"kind": "plain_mesh", "boards": {"mesh": {"colour": "red"}}}, "$.boards.mesh"),
        ({"router": {"flit_bytes": 64}}, "$"),
        ({"based_on": ["wormhole_b0"]}, "$"),
    ],
)
def test_refuses_mistakes_in_differences(
    validator: jsonschema.Draft202012Validator, changes: dict[str, Any], place: str
) -> None:
    assert [error.json_path for error in validator.iter_errors(differences(**changes))] == [place]


def test_differences_have_a_name_of_their_own(validator: jsonschema.Draft202012Validator) -> None:
    document = differences()
    del document["architecture"]
    assert not validator.is_valid(document)


def test_limits_that_are_not_there(validator: jsonschema.Draft202012Validator) -> None:
    document = load(next(file for file in ARCHITECTURE_FILES if file.stem == "wormhole_b0"))
    for value, is_valid in (("never", True), (65534, True), (65535, False), ("always", False)):
        document["router"]["link_flits_on_end_max"]["value"] = value
        assert validator.is_valid(document) == is_valid


def test_words(validator: jsonschema.Draft202012Validator) -> None:
    document = load(next(file for file in ARCHITECTURE_FILES if file.stem == "openpiton"))
    for value, is_valid in (("y_first", True), ("west_first", True), ("y_frist", False), (1, False)):
        document["router"]["routing"]["value"] = value
        assert validator.is_valid(document) == is_valid


def unknown_key(document: dict[str, Any]) -> None:
    document["router"]["hop_cyles"] = document["router"]["hop_cycles"]


def missing_key(document: dict[str, Any]) -> None:
    del document["niu"]["injection_cycles"]


def out_of_range(document: dict[str, Any]) -> None:
    document["router"]["hop_cycles"]["value"] = 0


def wrong_type(document: dict[str, Any]) -> None:
    document["router"]["hop_cycles"]["value"] = "9"


def no_power_of_two(document: dict[str, Any]) -> None:
    document["router"]["flit_bytes"]["value"] = 48


def wrong_unit(document: dict[str, Any]) -> None:
    document["router"]["flit_bytes"]["unit"] = "bits"


def fitted_to_nothing(document: dict[str, Any]) -> None:
    document["router"]["flit_bytes"] |= {"status": "fitted", "fitted_rows": []}


def fitted_to_no_rows(document: dict[str, Any]) -> None:
    document["router"]["flit_bytes"] |= {"status": "fitted", "fitted_to": "a table"}


def rows_though_documented(document: dict[str, Any]) -> None:
    document["router"]["flit_bytes"]["fitted_rows"] = []


def rows_without_a_table(document: dict[str, Any]) -> None:
    document["router"]["credit_return_cycles"]["fitted_rows"] = [{"where": {"test": "*"}}]


def fitted_though_documented(document: dict[str, Any]) -> None:
    document["router"]["flit_bytes"]["fitted_to"] = "a table"


def repeated_number(document: dict[str, Any]) -> None:
    document["grid"]["tensix_columns"]["value"][0] = document["grid"]["tensix_columns"]["value"][1]


def short_pair(document: dict[str, Any]) -> None:
    document["niu"]["sink_cycles_per_data_flit"]["value"].pop()


def unknown_key_of_board(document: dict[str, Any]) -> None:
    document["boards"]["n150"]["colour"] = "red"


def unknown_kind(document: dict[str, Any]) -> None:
    document["kind"] = "tensix_tours"


def no_kind(document: dict[str, Any]) -> None:
    del document["kind"]


@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        (unknown_key, "$.router"),
        (missing_key, "$.niu"),
        (out_of_range, "$.router.hop_cycles.value"),
        (wrong_type, "$.router.hop_cycles.value"),
        (no_power_of_two, "$.router.flit_bytes.value"),
        (wrong_unit, "$.router.flit_bytes.unit"),
        (fitted_to_nothing, "$.router.flit_bytes"),
        (fitted_though_documented, "$.router.flit_bytes"),
        (fitted_to_no_rows, "$.router.flit_bytes"),
        (rows_though_documented, "$.router.flit_bytes"),
        (rows_without_a_table, "$.router.credit_return_cycles.fitted_rows[0]"),
        (repeated_number, "$.grid.tensix_columns.value"),
        (short_pair, "$.niu.sink_cycles_per_data_flit.value"),
        (unknown_key_of_board, "$.boards.n150"),
        (unknown_kind, "$.kind"),
        (no_kind, "$"),
    ],
    ids=lambda argument: argument.__name__ if callable(argument) else None,
)
def test_refuses_mistakes(
    validator: jsonschema.Draft202012Validator, spoil: Callable[[dict[str, Any]], None], place: str
) -> None:
    wormhole = next(file for file in ARCHITECTURE_FILES if file.stem == "wormhole_b0")
    document = copy.deepcopy(load(wormhole))
    spoil(document)
    assert [error.json_path for error in validator.iter_errors(document)] == [place]


def other_kind(document: dict[str, Any]) -> None:
    document["kind"] = "tensix_torus"


def wrong_unit_of_the_link(document: dict[str, Any]) -> None:
    document["elink"]["single_write_periods"]["unit"] = "cycles"


def no_rows_of_cores(document: dict[str, Any]) -> None:
    del document["boards"]["parallella"]["rows"]


@pytest.mark.parametrize(
    ("spoil", "places"),
    [
        (other_kind, {"$", "$.boards.parallella", "$.boards.epiphany_iv_64"}),
        (wrong_unit_of_the_link, {"$.elink.single_write_periods.unit"}),
        (no_rows_of_cores, {"$.boards.parallella"}),
    ],
    ids=lambda argument: argument.__name__ if callable(argument) else None,
)
def test_refuses_mistakes_in_another_kind(
    validator: jsonschema.Draft202012Validator, spoil: Callable[[dict[str, Any]], None], places: set[str]
) -> None:
    epiphany = next(file for file in ARCHITECTURE_FILES if file.stem == "epiphany_iii")
    document = copy.deepcopy(load(epiphany))
    spoil(document)
    assert {error.json_path for error in validator.iter_errors(document)} == places


def unknown_key_of_a_host(document: dict[str, Any]) -> None:
    document["hosts"]["scu3"]["colour"] = "red"


def missing_key_of_a_bridge(document: dict[str, Any]) -> None:
    del document["bridges"]["usb"]["byte_ns"]


def wrong_unit_of_an_fpga(document: dict[str, Any]) -> None:
    document["fpgas"]["timing_receiver"]["crossbar_cycles"]["unit"] = "nanoseconds"


def no_flag(document: dict[str, Any]) -> None:
    document["bridges"]["gige"]["carries_datagrams"]["value"] = 2


def no_hosts(document: dict[str, Any]) -> None:
    document["hosts"] = {}


def no_bridges(document: dict[str, Any]) -> None:
    del document["bridges"]


def board_without_host(document: dict[str, Any]) -> None:
    del document["boards"]["rio4_vme"]["host"]


def host_that_is_a_number(document: dict[str, Any]) -> None:
    document["boards"]["rio4_vme"]["host"] = 4


@pytest.mark.parametrize(
    ("spoil", "places"),
    [
        (unknown_key_of_a_host, {"$.hosts.scu3"}),
        (missing_key_of_a_bridge, {"$.bridges.usb"}),
        (wrong_unit_of_an_fpga, {"$.fpgas.timing_receiver.crossbar_cycles.unit"}),
        (no_flag, {"$.bridges.gige.carries_datagrams.value"}),
        (no_hosts, {"$.hosts"}),
        (no_bridges, {"$"}),
        (board_without_host, {"$.boards.rio4_vme"}),
        (host_that_is_a_number, {"$.boards.rio4_vme.host"}),
    ],
    ids=lambda argument: argument.__name__ if callable(argument) else None,
)
def test_refuses_mistakes_in_parts_of_boards(
    validator: jsonschema.Draft202012Validator, spoil: Callable[[dict[str, Any]], None], places: set[str]
) -> None:
    etherbone = next(file for file in ARCHITECTURE_FILES if file.stem == "etherbone")
    document = copy.deepcopy(load(etherbone))
    spoil(document)
    assert {error.json_path for error in validator.iter_errors(document)} == places
