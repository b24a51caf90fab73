"""JSON Schemas for editors: they accept the repository's files, know the keys that are read, and refuse mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

from nocbench.commands.list import command
from nocbench.flow_tables.table_files import is_flow_file
from nocbench.gating import policy
from nocbench.programs import kernel_entries, program_file
from nocbench.schemas.all_schemas import SCHEMAS
from nocbench.suites import suite_file, suite_test

if TYPE_CHECKING:
    from conftest import CommandLine

ROOT = Path(__file__).parents[3]
FILES = [
    *((path, "architecture") for path in ROOT.glob("device_model/archs/*.yaml")),
    *((path, "program") for path in ROOT.glob("tests/device_kernels/**/*.yaml")),
    *(
        (path, "program")
        for path in ROOT.glob("examples/**/*.yaml")
        if path.name not in ("nocbench.yaml", "policy.yaml")
    ),
    *((path, "policy") for path in (ROOT / "tests/gate/policy.yaml", *ROOT.glob("examples/**/policy.yaml"))),
    *((path, "suite") for path in ROOT.glob("examples/**/nocbench.yaml")),
]
TRANSFER = {"packet_size": 2048, "src_x": 1, "src_y": 1, "dst_x": 4, "dst_y": 5, "noc_type": "NOC_1"}
KERNEL = {"file": "copy.cpp", "riscv": 0, "cores": [[0, 0]]}
RULE = {"metric": "latency_cycles", "slower": "0 %"}
TEST = {"name": "Copy", "program": "copy.yaml"}


def mistakes(kind: str, document: object) -> list[str]:
    validator = jsonschema.Draft202012Validator(SCHEMAS[kind]())
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


def without_dates(node: Any) -> Any:  # noqa: ANN401 - as YAML has it
    """Returns a document as JSON has it, in which dates are texts."""
    return json.loads(json.dumps(node, default=str))


def test_the_command_line_prints_them(run_in_process: CommandLine) -> None:
    choices = next(option.type for option in command.params if option.name == "schema")
    assert list(choices.choices) == list(SCHEMAS)  # type: ignore[attr-defined]
    for kind, schema in SCHEMAS.items():
        jsonschema.Draft202012Validator.check_schema(schema())
        done = run_in_process("list", "--schema", kind)
        assert (done.status, json.loads(done.out)) == (0, schema())


@pytest.mark.parametrize(("file", "kind"), FILES, ids=lambda item: getattr(item, "name", item))
def test_files_of_the_repository_are_accepted(file: Path, kind: str) -> None:
    assert mistakes(kind, without_dates(yaml.safe_load(file.read_text(encoding="utf-8")))) == []


def test_there_are_files_of_each_kind() -> None:
    assert {kind for _, kind in FILES} | {"workload"} == SCHEMAS.keys()
    assert not any(is_flow_file(path) for path, kind in FILES if kind == "program")


def test_keys_are_those_that_are_read() -> None:
    program, suite, gate = (SCHEMAS[kind]() for kind in ("program", "suite", "policy"))
    for schema, known in (
        (program, program_file._TOP),
        (program["$defs"]["kernel"], kernel_entries._KEYS),
        (suite, suite_file._TOP),
        (suite["properties"]["plots"], suite_file._PLOTS),
        (suite["$defs"]["test"], suite_test._KEYS),
        (gate, policy._TOP),
    ):
        assert schema["properties"].keys() == set(known)


@pytest.mark.parametrize(
    "document",
    [
        {"phases": [{"transfers": [TRANSFER]}], "golden_result": {"cycles": 1000}},
        {"phases": {"one": {"transfers": {"tr1": {**TRANSFER, "injection_rate": 28.1}}}}, "other": 1},
    ],
)
def test_workloads_are_accepted(document: object) -> None:
    assert mistakes("workload", document) == []


@pytest.mark.parametrize(
    "document",
    [
        {"kernels": [KERNEL | {"cores": {"next_to_banks": "all", "noc": 1}}], "semaphores": {"0": None}},
        {"kernels": [KERNEL], "regions": {"a": {"bytes": "4 KiB", "initial": [{"cores": "all", "counting": 1}]}}},
        {"kernels": [KERNEL], "expect": [{"region": "a", "core": [0, 1], "equals": {"tensor": "b"}}]},
    ],
)
def test_programs_are_accepted(document: object) -> None:
    assert mistakes("program", document) == []


@pytest.mark.parametrize(
    ("kind", "document", "place"),
    [
        ("program", {"kernels": []}, "$.kernels"),
        ("program", {"kernels": [KERNEL], "kernel": 1}, "$"),
        ("program", {"kernels": [KERNEL | {"core": [0, 0]}]}, "$.kernels[0]"),
        ("program", {"kernels": [{"file": "copy.cpp", "cores": "all"}]}, "$.kernels[0]"),
        ("program", {"kernels": [KERNEL], "arch": "wormhole"}, "$.arch"),
        ("program", {"kernels": [KERNEL], "buffers": {"in": {"pages": 1, "page_bytes": 32}}}, "$.buffers"),
        ("program", {"kernels": [KERNEL], "buffers": {0: {"pages": 1}}}, "$.buffers['0']"),
        (
            "program",
            {"kernels": [KERNEL], "tensors": {"a": {"memory": "L1", "pages": 1, "page_bytes": 2}}},
            "$.tensors.a.memory",
        ),
        ("program", {"kernels": [KERNEL], "expect": [{"region": "a"}]}, "$.expect[0]"),
        ("suite", {"name": "mine", "tests": []}, "$.tests"),
        ("suite", {"name": "mine", "tests": [TEST | {"flows": "a.csv"}]}, "$.tests[0]"),
        ("suite", {"name": "mine", "tests": [TEST | {"id": 0}]}, "$.tests[0].id"),
        ("suite", {"name": "mine", "tests": [TEST], "policy": {"version": 1}}, "$.policy"),
        ("suite", {"name": "mine", "tests": [TEST | {"program": {"kernels": []}}]}, "$.tests[0].program"),
        ("policy", {"version": 2, "rules": []}, "$.version"),
        ("policy", {"version": 1, "rules": [RULE | {"slower": "half a percent"}]}, "$.rules[0].slower"),
        ("policy", {"version": 1, "rules": [{"metric": "latency_cycles"}]}, "$.rules[0]"),
        ("policy", {"version": 1, "rules": [{"metric": "limiter", "slower": "1 %"}]}, "$.rules[0]"),
        ("policy", {"version": 1, "rules": [{"metric": "latency_cycles", "gate": "never"}]}, "$.rules[0]"),
        ("policy", {"version": 1, "rules": [RULE | {"match": {"tests": "One*"}}]}, "$.rules[0].match"),
        ("policy", {"version": 1, "rules": [], "waivers": [{"reason": "known"}]}, "$.waivers[0]"),
        ("workload", {"transfers": []}, "$"),
        ("workload", {"phases": [{"transfers": [TRANSFER | {"noc_type": 2}]}]}, "$.phases"),
    ],
)
def test_mistakes_are_refused(kind: str, document: object, place: str) -> None:
    assert place in [mistake.partition(": ")[0] for mistake in mistakes(kind, without_dates(document))]
