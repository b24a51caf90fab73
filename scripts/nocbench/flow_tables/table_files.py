"""Files of flows, in all formats."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nocbench.flow_tables.csv_table import read_csv_table
from nocbench.flow_tables.workload import DEVICES, USUAL_DEVICE, device_of, read_workload
from nocbench.programs.targets import machines_for
from nocbench.support.errors import InputError
from nocbench.support.input_files import read_text
from nocbench.support.names import require_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nocbench.flow_tables.flow_table import FlowTable
    from nocbench.programs.execution import Machine

_CSV_ENDING = ".csv"
_JSON_ENDING = ".json"
_YAML_ENDINGS = (".yaml", ".yml")
ENDINGS = (_CSV_ENDING, *_YAML_ENDINGS, _JSON_ENDING)
KINDS_OF_FILES = f"a table of flows ({_CSV_ENDING}) or a workload ({', '.join((*_YAML_ENDINGS, _JSON_ENDING))})"
"""Valid kinds of files of flows, in words."""

_PHASES = re.compile(r"^phases\s*:", re.MULTILINE)


def is_flow_file(path: Path) -> bool:
    """Returns True for a file of flows. A YAML file that is a program is none."""
    suffix = path.suffix.lower()
    if suffix in _YAML_ENDINGS:
        try:
            return _PHASES.search(read_text(path, "a workload")) is not None
        except InputError:
            return False
    return suffix in (_CSV_ENDING, _JSON_ENDING)


def machines_for_flows(path: Path, arch: str, board: str, settings: Sequence[tuple[str, str]]) -> list[Machine]:
    """Returns the machines to run flows on: the chosen machines, else the machine that the file names, else all.

    Raises:
        InputError: no such file, architecture, board or setting.
    """
    if not arch and not board:
        named, board = targets_of(path)
        arch = next(iter(named), "")
    return machines_for(None, arch, board, settings, compiles=False)


def targets_of(path: Path) -> tuple[Sequence[str], str]:
    """Returns the architectures and the board that a file of flows names; empty for a CSV file, which names none.

    Raises:
        InputError: no such file, or no such device.
    """
    _require_ending(path)
    if path.suffix.lower() == _CSV_ENDING:
        return [], ""
    device = device_of(path) or USUAL_DEVICE
    if device not in DEVICES:
        raise InputError(f"{path}: device_name: expected one of {', '.join(DEVICES)}, found '{device}'")
    arch, board = DEVICES[device]
    return [arch], board


def read_flow_table(path: Path, machine: Machine) -> tuple[FlowTable, Machine]:
    """Returns the flows in a file, for a machine.

    Returns:
        The flows, and the machine. If a workload uses harvested rows, the returned machine has harvested other rows.

    Raises:
        InputError: no such file, or mistakes in it.
    """
    _require_ending(path)
    require_name(path.name, f"{path}: name of the file")
    if path.suffix.lower() == _CSV_ENDING:
        return read_csv_table(path, machine.memories()), machine
    return read_workload(path, machine)


def _require_ending(path: Path) -> None:
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"{path}: expected {KINDS_OF_FILES}, found '{path.suffix}'")
