"""The schema of policies; docs/gating.md describes the format."""

from __future__ import annotations

from nocbench.gating.conditions import NAMES, REGIONS
from nocbench.gating.policy import VERSION
from nocbench.gating.verdicts import LIMITER, METRICS
from nocbench.schemas.parts import WHOLE_OR_TEXT, Schema, described, items, keys, mapping, part

_NOT_BESIDE: Schema = {"properties": {"slower": False, "faster": False}}


def policy_parts() -> dict[str, Schema]:
    """Returns the parts of the schema."""
    match = dict.fromkeys(NAMES, described({"type": "string"}, "Name or glob.")) | dict.fromkeys(
        REGIONS, described(WHOLE_OR_TEXT, "Number or size, or a range FIRST:LAST of which one end may be missing.")
    )
    judged = {"metric": part("metric"), "match": part("match")}
    return {
        "percentage": {"type": "string", "pattern": r"^\d+(\.\d+)?\s*%$"},
        "reason": {"type": "string", "pattern": r"\S"},
        "match": described(mapping(match), "Points to which this applies; all by default."),
        "metric": {"enum": list(METRICS)},
        "rule": _rule(),
        "bound": mapping(
            judged
            | {"at_least": {"type": "number"}, "at_most": {"type": "number"}}
            | {"source": part("reason", "Where the bound comes from.")},
            required=["metric", "source"],
            anyOf=keys(["at_least"], ["at_most"]),
        ),
        "excuse": mapping(
            {"match": part("match"), "reason": part("reason"), "until": {"type": "string", "format": "date"}},
            required=["reason"],
        ),
        "noise": mapping(judged | {"percent": part("percentage")}, required=["metric", "percent"]),
    }


def policy() -> Schema:
    """Returns the schema of a policy, without its parts."""
    waiver: Schema = {"allOf": [part("excuse")], "required": ["until"]}
    return mapping(
        {
            "version": {"enum": [int(VERSION), VERSION]},
            "rules": {"description": "The first rule that matches a point decides.", "type": ["array", "null"]}
            | {"items": part("rule")},
            "bounds": described(items(part("bound")), "Bounds that hold for any baseline."),
            "waivers": described(items(waiver), "Changes that pass until a date."),
            "gone": described(items(part("excuse")), "Points that may be missing."),
            "noise": described(items(part("noise")), "Spread of measurements."),
            "coverage": mapping(
                {
                    "gated_points": described(WHOLE_OR_TEXT, "Fewest points that are gated: a number or percentage."),
                    "may_fall": part("excuse"),
                }
            ),
            "drift": described(
                mapping(
                    {"history": {"type": "string"}, "since": {"type": "string"}, "slower": part("percentage")},
                    required=["history", "slower"],
                ),
                "Bound on the mean latency of each test since a release of the history.",
            ),
        },
        required=["version", "rules"],
    )


def _rule() -> Schema:
    limiter: Schema = {"const": LIMITER}
    return mapping(
        {
            "metric": {"anyOf": [part("metric"), limiter]},
            "match": part("match"),
            "slower": part("percentage", "Greatest change for the worse that passes."),
            "faster": part("percentage", "Greatest change for the better before the baseline is stale."),
            "gate": {"const": "never"},
            "reason": part("reason", "Why this is looser than no change at all."),
        },
        required=["metric"],
        allOf=[
            {"if": {"required": ["gate"]}, "then": _NOT_BESIDE | {"required": ["reason"]}},
            {
                "if": {"properties": {"metric": limiter}, "required": ["metric"]},
                "then": _NOT_BESIDE,
                "else": {"anyOf": keys(["slower"], ["gate"])},
            },
        ],
    )
