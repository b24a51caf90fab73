"""Types of the fields of architectures and boards, which settings change."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nocbench.extension import input_errors, kept

if TYPE_CHECKING:
    from collections.abc import Mapping


@kept
def list_depth(field: str) -> int:
    """Returns the depth of nested lists in the values of a field of architectures; 0 for others and unknown fields."""
    with input_errors() as core:
        of_kinds = json.loads(core.architecture_json_schema()).get("$defs", {}).values()
    return max((_list_depth_in(of_kind.get("properties", {}), field) for of_kind in of_kinds), default=0)


@kept
def field_names() -> list[str]:
    """Returns the fields that settings can change, such as "router.hop_cycles", of all kinds of architectures."""
    with input_errors() as core:
        of_kinds = json.loads(core.architecture_json_schema()).get("$defs", {}).values()
    names = set()
    for of_kind in of_kinds:
        sections = dict(of_kind.get("properties", {}))
        sections["board"] = sections.pop("boards", {}).get("additionalProperties", {})
        names |= {f"{section}.{name}" for section, schema in sections.items() for name in schema.get("properties", {})}
    return sorted(names)


def _list_depth_in(properties: Mapping[str, Any], field: str) -> int:
    section, _, name = field.partition(".")
    if section == "board":
        section_schema = properties.get("boards", {}).get("additionalProperties", {})
    else:
        section_schema = properties.get(section, {})
    schema = section_schema.get("properties", {}).get(name, {}).get("properties", {}).get("value", {})
    depth = 0
    while schema.get("type") == "array":
        depth += 1
        schema = schema.get("items", {})
    return depth
