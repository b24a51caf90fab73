"""All schemas, by kind of file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nocbench.extension import input_errors
from nocbench.schemas.parts import document
from nocbench.schemas.policies import policy, policy_parts
from nocbench.schemas.programs import program, program_parts
from nocbench.schemas.suites import suite, suite_parts
from nocbench.schemas.workloads import workload, workload_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from nocbench.schemas.parts import Schema


def _architecture() -> Schema:
    with input_errors() as core:
        return dict(json.loads(core.architecture_json_schema()))


SCHEMAS: dict[str, Callable[[], Schema]] = {
    "architecture": _architecture,
    "policy": lambda: document(
        "Policy of a gate", "Which changes of results pass: docs/gating.md", policy(), policy_parts()
    ),
    "program": lambda: document(
        "Program of nocbench", "Kernels on cores, and their data: docs/kernels.md", program(), program_parts()
    ),
    "suite": lambda: document("Suite of nocbench", "Tests in nocbench.yaml: docs/suites.md", suite(), suite_parts()),
    "workload": lambda: document(
        "Workload of tt-npe", "Transfers in phases: docs/flows.md", workload(), workload_parts()
    ),
}
