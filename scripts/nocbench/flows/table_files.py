"""Files of flows, of whichever format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.flows.csv_table import read_csv_table

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.flows.flow_table import FlowTable
    from nocbench.programs.execution import Machine

CSV_ENDING = ".csv"


def is_flow_file(text: str) -> bool:
    """Whether a word of the command line means a file of flows."""
    return text.lower().endswith(CSV_ENDING)


def read_flow_table(path: Path, machine: Machine) -> FlowTable:
    """Reads a file of flows for a machine.

    Raises:
        InputError: no such file, or mistakes in it.
    """
    return read_csv_table(path, machine.memories())
