"""Results for other tools contain exactly the fields that these tools read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from sample import make_row, make_sweep

from nocbench.commands.report import _FORMATS
from nocbench.points.peaks import UNKNOWN_DATA_FAULT
from nocbench.reports.exports import EXPORTS, bencher, google_benchmark, point_name
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from nocbench.support.columns import Row

NUMBER = {"type": "number"}
COUNT = {"type": "integer", "minimum": 0}
POSITIVE = {"type": "number", "exclusiveMinimum": 0}
CUSTOM = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "required": ["name", "unit", "value"],
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "unit": {"type": "string"},
            "value": NUMBER,
            "range": {"type": "string"},
            "extra": {"type": "string"},
        },
    },
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "google-benchmark": {
        "type": "object",
        "required": ["context", "benchmarks"],
        "properties": {
            "context": {
                "type": "object",
                "required": ["executable", "library_build_type", "json_schema_version"],
                "properties": {"json_schema_version": {"const": 1}},
            },
            "benchmarks": {
                "type": "array",
                "items": {
                    "type": "object",
                    # compare.py reads all of these fields
                    "required": ["name", "run_name", "run_type", "real_time", "cpu_time", "time_unit", "iterations"],
                    "properties": {
                        "name": {"type": "string", "minLength": 1},
                        "run_type": {"const": "iteration"},
                        "family_index": COUNT,
                        "per_family_instance_index": COUNT,
                        "repetitions": COUNT,
                        "repetition_index": COUNT,
                        "threads": COUNT,
                        "iterations": COUNT,
                        "real_time": POSITIVE,
                        "cpu_time": POSITIVE,
                        "time_unit": {"enum": ["s", "ms", "us", "ns"]},
                        "bytes_per_second": POSITIVE,
                        "label": {"type": "string"},
                    },
                },
            },
        },
    },
    "bencher": {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {  # names of benchmarks
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": "^[a-z0-9-]+$", "maxLength": 64},
            "additionalProperties": {  # names of measures
                "type": "object",
                "required": ["value"],
                "additionalProperties": False,
                "properties": {"value": NUMBER, "lower_value": NUMBER, "upper_value": NUMBER},
            },
        },
    },
    "github-action-bigger": CUSTOM,
    "github-action-smaller": CUSTOM,
}


@pytest.fixture
def rows() -> list[Row]:
    return [*make_sweep(), *make_sweep(kernel="Receiver", params="noc=1"), *make_sweep(arch="blackhole", board="p100")]


def test_every_format_is_offered() -> None:
    assert tuple(EXPORTS) == _FORMATS
    assert SCHEMAS.keys() == EXPORTS.keys()


@pytest.mark.parametrize("name", EXPORTS)
def test_every_row_is_there_as_the_format_wants_it(name: str, rows: list[Row]) -> None:
    document = json.loads(json.dumps(EXPORTS[name](rows), allow_nan=False))
    jsonschema.validate(document, SCHEMAS[name])
    entries = document["benchmarks"] if name == "google-benchmark" else document
    assert len(entries) == len(rows)
    names = [entry if isinstance(entry, str) else entry["name"] for entry in entries]
    assert names == [point_name(row) for row in rows]
    assert len(set(names)) == len(rows)


@pytest.mark.parametrize("name", ["bencher", "github-action-bigger", "github-action-smaller"])
def test_published_measurements_can_be_exported(name: str, rows: list[Row]) -> None:
    published = [dict(list(row.items())[:7]) for row in rows[:25]]
    jsonschema.validate(EXPORTS[name](published), SCHEMAS[name])


def test_times_are_those_of_the_chip() -> None:
    row = make_row(clock_hz=1_350_000_000)
    (benchmark,) = google_benchmark([row])["benchmarks"]
    assert benchmark["real_time"] == benchmark["cpu_time"] == pytest.approx(640.5 / 1.35)
    assert benchmark["bytes_per_second"] == pytest.approx(1024 / 640.5 * 1.35e9)
    with pytest.raises(InputError, match="no column 'clock_hz'"):
        google_benchmark([{name: value for name, value in row.items() if name != "clock_hz"}])


def test_families_and_their_instances(rows: list[Row]) -> None:
    benchmarks = google_benchmark(rows)["benchmarks"]
    places = [(benchmark["family_index"], benchmark["per_family_instance_index"]) for benchmark in benchmarks]
    assert places == [(family, instance) for family in range(3) for instance in range(25)]


def test_names_do_not_tell_that_a_point_was_shortened() -> None:
    row = make_row(params="noc=1;simulated_transactions=64;steady=0")
    name = "wormhole_b0/n150/One to One Packet Sizes/Sender/noc=1/num_transactions:16/transaction_size_bytes:64"
    assert point_name(row) == name
    assert bencher([row]) == {
        name: {"latency-cycles": {"value": 640.5}, "bandwidth-bytes-per-cycle": {"value": 1024 / 640.5}}
    }


def test_wrong_data_is_an_error_there_too() -> None:
    (benchmark,) = google_benchmark([make_row(data_ok=False)])["benchmarks"]
    assert benchmark["error_occurred"] is True
    assert benchmark["error_message"] == UNKNOWN_DATA_FAULT
