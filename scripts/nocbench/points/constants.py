"""Constants in architecture files: value, unit, source, and status."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.architectures.description import describe_architecture
from nocbench.architectures.files import architecture_files
from nocbench.points.yaml_files import read_yaml
from nocbench.support.package import PACKAGE
from nocbench.support.revision import checkout

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from nocbench.points.yaml_files import Node

CALIBRATED = ("fitted", "measured")
"""Statuses of constants that were neither documented nor estimated."""

FITTED_ROWS = "fitted_rows"
"""Key of a constant with the published rows to which its value was fitted: nocbench.published.fitted_rows."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of an architecture.

    Attributes:
        path: name for `--set`: "elink.read_periods", "hosts.scu3.driver_ns".
        value, unit, status, source: entries of the constant in the file.
        fitted_to: measurements to which the constant was fitted, if any.
    """

    path: str
    value: str
    unit: str
    status: str
    source: str
    fitted_to: str = ""

    @property
    def step_up(self) -> str:
        """Value about a tenth larger, which shows the results that depend on the constant.

        Whole numbers are rounded up, others to four decimals, the precision of fields.
        """
        if "." in self.value:
            return f"{1.1 * float(self.value):.4f}".rstrip("0").rstrip(".")
        return str(math.ceil(1.1 * int(self.value)))


def read_constants(arch: str, board: str = "") -> list[Constant]:
    """Returns the constants of an architecture in the order of its file, without those of boards.

    Args:
        arch: architecture.
        board: board; empty: the default board. Boards are composed of parts; constants of other boards' parts are left
            out.
    """
    describe_architecture(arch, board)  # refuses what is unknown
    found = dict(constants_in(_read_merged(arch)))
    entries = {path: entries_of(constant) for path, constant in found.items() if constant["kind"] == "mapping"}
    texts = {path: text_of(node) for path, node in found.items() if node["kind"] != "mapping"}
    of_board = f"boards.{board or texts['default_board']}."
    # "host: scu3" of a board means the constants below "hosts.scu3".
    parts = tuple(
        f"{path.removeprefix(of_board)}s.{name}." for path, name in texts.items() if path.startswith(of_board)
    )
    return [
        Constant(path=path, **{name: text_of(node) for name, node in entry.items() if name != FITTED_ROWS})
        for path, entry in entries.items()
        if path.count(".") == 1 or path.startswith(parts)
    ]


def _read_merged(arch: str) -> Node:
    """Reads the file of an architecture; adds the entries of its bases that it does not change."""
    documents = [read_yaml(file, "an architecture file") for file in architecture_files(arch)]
    return functools.reduce(_merged, reversed(documents))


def _merged(base: Node, own: Node) -> Node:
    if base["kind"] != "mapping" or own["kind"] != "mapping" or _is_constant(own):
        return own
    entries = {text_of(key): (key, value) for key, value in base["value"]}
    for key, value in own["value"]:
        name = text_of(key)
        entries[name] = (key, _merged(entries[name][1], value) if name in entries else value)
    return {**own, "value": list(entries.values())}


def calibrated_constants(arch: str, board: str = "") -> list[Constant]:
    """Returns the constants that were fitted or measured."""
    return [constant for constant in read_constants(arch, board) if constant.status in CALIBRATED]


def file_of(arch: str) -> Path:
    """Returns the path of an architecture's file. The file may not exist."""
    packaged = PACKAGE / "archs"  # path in a wheel
    directory = checkout()
    return (packaged if directory is None else directory / "device_model" / "archs") / f"{arch}.yaml"


def constants_in(node: Node, path: str = "") -> Iterator[tuple[str, Node]]:
    """Yields path and node of each value in an architecture file: a mapping with value, unit and source, or a text."""
    if node["kind"] != "mapping":
        yield path, node
        return
    if path and _is_constant(node):
        yield path, node
        return
    for name, value in _named(node):
        yield from constants_in(value, f"{path}.{name}" if path else name)


def _is_constant(mapping: Node) -> bool:
    return any(key["value"] == "value" for key, _ in mapping["value"])


def value_of(constant: Node) -> Node:
    """Returns the node with the value of a constant from :func:`constants_in`."""
    return entries_of(constant)["value"] if constant["kind"] == "mapping" else constant


def entries_of(mapping: Node) -> dict[str, Node]:
    """Returns the values of a mapping by key."""
    return dict(_named(mapping))


def text_of(node: Node) -> str:
    """Returns a node of a YAML file as text on one line."""
    if node["kind"] == "list":
        return f"[{', '.join(text_of(item) for item in node['value'])}]"
    if node["kind"] == "mapping":
        return f"{{{', '.join(f'{name}: {text_of(value)}' for name, value in _named(node))}}}"
    return str(node["value"])


def _named(mapping: Node) -> Iterator[tuple[str, Node]]:
    for key, value in mapping["value"]:
        yield text_of(key), value
