"""The built-in devices on the bus of an FPGA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.extension import input_errors

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class BusDevice:
    """A device on the bus of an FPGA.

    Attributes:
        is_listed: True if in the table of devices; the table itself is not.
    """

    name: str
    first_address: int
    last_address: int
    is_listed: bool


def bus_devices(board: str, settings: Sequence[tuple[str, str]] = ()) -> list[BusDevice]:
    """Returns the built-in devices of a board's FPGA, by address."""
    with input_errors() as core:
        return [BusDevice(**device) for device in core.describe_bus_devices(board, list(settings))]
