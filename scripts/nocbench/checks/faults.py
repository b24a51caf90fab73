"""Findings as faults of a run's data: "kernels/writer.cpp:12: racecheck: ..."."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from nocbench.checks.choice import NAMES

if TYPE_CHECKING:
    from pathlib import Path

_FAULT = re.compile(rf"(?P<file>[^:]+):(?P<line>\d+): (?:{'|'.join(NAMES)}): ")


def place_of_fault(fault: str) -> tuple[str, int] | None:
    """Returns file and line of a finding that is the fault of a run's data; None for other faults."""
    match = _FAULT.match(fault)
    return None if match is None else (match["file"], int(match["line"]))


def fault_below(folder: Path, fault: str) -> str:
    """Returns a fault; that of a finding with its file below a folder: "suite/kernels/writer.cpp:12: ..."."""
    place = place_of_fault(fault)
    return fault if place is None else f"{os.path.normpath(folder / place[0])}{fault[len(place[0]) :]}"
