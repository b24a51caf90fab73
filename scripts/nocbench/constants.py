"""The constants of architectures as their files state them: value, unit, source, and how well it is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nocbench import simulator
from nocbench.revision import checkout

CALIBRATED = ("fitted", "measured")
"""What the status of a constant says that was not taken from documentation, nor estimated."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of an architecture.

    Attributes:
        path: what `--set` calls it: "elink.read_periods".
        value: as the file has it.
        unit, status, source: likewise.
        fitted_to: what it was fitted to, if it was.
    """

    path: str
    value: str
    unit: str
    status: str
    source: str
    fitted_to: str = ""

    @property
    def step_up(self) -> str:
        """A value about a tenth larger, to see what depends on it: of a whole number, the next one that is.

        With four decimals at most, as fields have.
        """
        if "." in self.value:
            return f"{1.1 * float(self.value):.4f}".rstrip("0").rstrip(".")
        return str(math.ceil(1.1 * int(self.value)))


def read_constants(arch: str) -> list[Constant]:
    """The constants of an architecture, without those of its boards, in the order of its file.

    Raises:
        InputError: there is no such architecture.
    """
    simulator.require_architecture(arch)
    root = _plain(simulator.read_yaml(str(_file_of(arch)), "an architecture"))
    return [
        Constant(
            path=f"{section}.{name}",
            value=str(entry["value"]),
            unit=entry.get("unit", ""),
            status=entry.get("status", ""),
            source=entry.get("source", ""),
            fitted_to=entry.get("fitted_to", ""),
        )
        for section, entries in root.items()
        if isinstance(entries, dict) and section != "boards"
        for name, entry in entries.items()
        if isinstance(entry, dict) and "value" in entry
    ]


def calibrated_constants(arch: str) -> list[Constant]:
    """Those that were fitted or measured."""
    return [constant for constant in read_constants(arch) if constant.status in CALIBRATED]


def _file_of(arch: str) -> Path:
    packaged = Path(__file__).parent / "archs"  # in a wheel
    directory = checkout()
    return (packaged if directory is None else directory / "device_model" / "archs") / f"{arch}.yaml"


def _plain(node: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever the file holds
    """The value of a node without places in the file."""
    if node["kind"] == "mapping":
        return {_plain(name): _plain(value) for name, value in node["value"]}
    if node["kind"] == "list":
        return [_plain(item) for item in node["value"]]
    return node.get("value", "")
