"""The schema of suites; docs/suites.md describes the format."""

from __future__ import annotations

from nocbench.checks.choice import NAMES
from nocbench.points.selection import TIERS
from nocbench.schemas.parts import (
    PATH,
    WHOLE_OR_TEXT,
    Schema,
    by_key,
    described,
    either,
    items,
    keys,
    mapping,
    one_or_more,
    part,
)
from nocbench.schemas.policies import policy, policy_parts
from nocbench.schemas.programs import program, program_parts
from nocbench.suites.suite_test import MOST_ID


def suite_parts() -> dict[str, Schema]:
    """Returns the parts of the schema, with those of programs and policies, which a suite may contain."""
    bandwidth: Schema = {"type": "number", "exclusiveMinimum": 0}
    test = mapping(
        {
            "name": part("text", "Name, which must stay the same."),
            "id": {"description": "Id, which must stay the same.", "type": "integer", "minimum": 1, "maximum": MOST_ID},
            "description": part("text"),
            "program": described(either(PATH, part("program")), "Program file, or a program."),
            "host": described(one_or_more(PATH), "Sources of a host program of tt-metal."),
            "flows": described(PATH, "Table of flows, or a workload."),
            "architectures": one_or_more(part("architecture")),
            "boards": one_or_more(part("text")),
            "sweep": described(
                either(mapping(dict.fromkeys(TIERS, part("swept")), minProperties=1), part("swept")),
                "Values of parameters, in all tiers or by tier.",
            ),
            "headings": part("texts", "Headings above the results on pages, topmost first."),
            "plot": mapping({"axis": part("text"), "lines": part("text")}),
            "theoretical_bytes_per_cycle": described(
                either(bandwidth, by_key(bandwidth, part("architecture"))),
                "Highest possible bandwidth of a result row, also by architecture.",
            ),
        },
        required=["name"],
        oneOf=keys(["program"], ["host"], ["flows"]),
    )
    values = described(one_or_more(WHOLE_OR_TEXT), "Whole numbers, sizes, or a range such as 64:4KiB:x2.")
    own = {"test": test, "swept": by_key(values), "program": program(), "policy": policy()}
    return program_parts() | policy_parts() | own


def suite() -> Schema:
    """Returns the schema of a suite, without its parts."""
    return mapping(
        {
            "name": part("text"),
            "description": part("text"),
            "tests": items(part("test"), least=1),
            "policy": described(either(PATH, part("policy")), "File of the policy, or the policy."),
            "baseline": described(PATH, "File of the recorded results; baseline.csv by default."),
            "checks": items(described({"enum": list(NAMES)}, "A check of all programs.")),
            "plots": mapping({"folder": PATH, "axis": part("text"), "lines": part("text")}),
        },
        required=["name", "tests"],
    )
