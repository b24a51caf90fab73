"""The schema of workloads of tt-npe; docs/flows.md describes what is read. Other keys may be there, too."""

from __future__ import annotations

from nocbench.flow_tables.workload import MULTICAST, NOCS
from nocbench.schemas.parts import (
    NUMBER_OR_TEXT,
    WHOLE_OR_TEXT,
    Schema,
    by_key,
    described,
    either,
    items,
    keys,
    part,
)

_PLACES = ("src_x", "src_y", "dst_x", "dst_y", *MULTICAST)


def workload_parts() -> dict[str, Schema]:
    """Returns the parts of the schema."""
    transfer = dict.fromkeys(_PLACES, described(WHOLE_OR_TEXT, "Physical coordinate on NoC 0.")) | {
        "packet_size": described(WHOLE_OR_TEXT, "Bytes of a packet."),
        "num_packets": described(WHOLE_OR_TEXT, "1 by default."),
        "noc_type": {"enum": [*NOCS, 0, 1]},
        "noc_event_type": {"type": "string"},
        "posted": {"type": ["boolean", "string"]},
        "injection_rate": described(NUMBER_OR_TEXT, "Bytes per cycle."),
        "phase_cycle_offset": described(NUMBER_OR_TEXT, "Start, in cycles after that of the phase."),
    }
    transfers = either(items(part("transfer")), by_key(part("transfer")))
    return {
        "transfer": {
            "type": "object",
            "properties": transfer,
            "required": ["src_x", "src_y", "packet_size"],
            "anyOf": keys(["dst_x", "dst_y"], MULTICAST),
        },
        "phase": {"type": "object", "properties": {"transfers": transfers}, "required": ["transfers"]},
    }


def workload() -> Schema:
    """Returns the schema of a workload, without its parts."""
    golden: Schema = {"type": "object", "properties": {"cycles": {"type": ["number", "string", "null"]}}}
    phases = either(items(part("phase")), by_key(part("phase")))
    return {"type": "object", "properties": {"phases": phases, "golden_result": golden}, "required": ["phases"]}
