"""Parts of JSON Schemas. Texts in files may look like numbers, and numbers may be expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Schema = dict[str, Any]

TEXT: Schema = {"type": ["string", "number", "boolean"]}
PATH: Schema = {"type": "string"}
NUMBER_OR_TEXT: Schema = {"type": ["number", "string"]}
WHOLE_OR_TEXT: Schema = {"type": ["integer", "string"]}


def mapping(properties: Mapping[str, Schema], *, required: Sequence[str] = (), **rest: object) -> Schema:
    """Returns the schema of a mapping with known keys only."""
    schema: Schema = {"type": "object", "additionalProperties": False, "properties": dict(properties)}
    return schema | ({"required": list(required)} if required else {}) | rest


def by_key(values: Schema, keys: Schema | None = None) -> Schema:
    """Returns the schema of a mapping with keys of the user's own."""
    return {"type": "object", "additionalProperties": values} | ({"propertyNames": keys} if keys else {})


def items(schema: Schema, least: int = 0, most: int | None = None) -> Schema:
    """Returns the schema of a list."""
    limits = ({"minItems": least} if least else {}) | ({"maxItems": most} if most is not None else {})
    return {"type": "array", "items": schema} | limits


def either(*schemas: Schema) -> Schema:
    """Returns the schema of values that fit one of several schemas, or more."""
    return {"anyOf": list(schemas)}


def one_or_more(schema: Schema) -> Schema:
    """Returns the schema of a value, or of a list of values."""
    return either(schema, items(schema, least=1))


def keys(*names: Sequence[str]) -> list[Schema]:
    """Returns alternatives, each a set of required keys."""
    return [{"required": list(some)} for some in names]


def part(name: str, description: str = "") -> Schema:
    """Returns a reference to one of the parts that :func:`document` gets."""
    return {"$ref": f"#/$defs/{name}"} | ({"description": description} if description else {})


def described(schema: Schema, description: str) -> Schema:
    """Returns a schema with a description, which editors show."""
    return schema | {"description": description}


def document(title: str, description: str, root: Schema, parts: Mapping[str, Schema]) -> Schema:
    """Returns a whole schema."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "description": description}
    return head | root | {"$defs": dict(parts)}
