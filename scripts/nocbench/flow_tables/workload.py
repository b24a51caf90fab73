"""Workloads of tt-npe, Tenstorrent's estimator: phases of transfers, read as flows (docs/flows.md)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from nocbench.flow_tables.cells import CORE, POSTED_WRITE, READ, RECTANGLE, WRITE, Partner, Rows, values_by_name
from nocbench.flow_tables.flow_table import FlowTable
from nocbench.flow_tables.places import Places, with_live_tiles
from nocbench.points.yaml_files import read_yaml
from nocbench.support.errors import InputError, Mistakes
from nocbench.support.input_files import read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from nocbench.programs.execution import Machine

DEVICES = {
    "wormhole_b0": ("wormhole_b0", ""),
    "n150": ("wormhole_b0", "n150"),
    "n300": ("wormhole_b0", "n300"),
    "blackhole": ("blackhole", ""),
    "p100": ("blackhole", "p100"),
    "p100a": ("blackhole", "p100a"),
    "p150": ("blackhole", "p150"),
}
"""Architectures and boards by the estimator's names of devices."""

USUAL_DEVICE = "wormhole_b0"
_DEVICE_KEYS = ("device_name", "device", "arch")
NOCS = {"NOC_0": 0, "NOC_1": 1, "NOC0": 0, "NOC1": 1, "0": 0, "1": 1}
MULTICAST = ("mcast_start_x", "mcast_start_y", "mcast_end_x", "mcast_end_y")
_PLACES = (("src_x", "src_y"), ("dst_x", "dst_y"), MULTICAST[:2], MULTICAST[2:])
_MOST = 2**40


class _Mapping(dict[str, Any]):
    """YAML or JSON mapping of a workload file, with its position in the file for error messages."""

    where = ""


def device_of(path: Path) -> str:
    """Returns the device that a workload names; empty if it names none.

    Raises:
        InputError: no such file, or a file that is no workload.
    """
    root = _load(path)
    about = root.get("common_info")
    for place in (root, about if isinstance(about, dict) else {}):
        for key in _DEVICE_KEYS:
            if key in place:
                return str(place[key]).lower()
    return ""


def read_workload(path: Path, machine: Machine) -> tuple[FlowTable, Machine]:
    """Returns the flows of a workload, and the machine to run them on.

    If the workload uses harvested rows, the returned machine has harvested other rows.

    Raises:
        InputError: no such file, or mistakes in it; the message lists all.
    """
    root = _load(path)
    phases = list(_phases(path, root))
    machine = with_live_tiles(machine, set(_used(phases)))
    places = Places(machine)
    rows = Rows(machine.memories())
    mistakes = Mistakes()
    before = ""
    wheres: list[str] = []
    for name, transfers in phases:
        num_flows = len(rows.flows)
        for transfer in transfers:
            with mistakes.noted():
                rows.add(_values(transfer, places, name, before))
                wheres.append(transfer.where)
        before = name if len(rows.flows) > num_flows else before
    rows.finish()
    for complaint in rows.complaints:
        mistakes.note(f"{wheres[complaint.row]}: {complaint.column}: {complaint.text}")
    mistakes.complain()
    if not rows.flows:
        raise InputError(f"{path}: expected transfers in its phases, found none")
    lines = list(range(1, 1 + len(rows.flows)))
    return FlowTable(path, rows.groups, rows.flows, lines, _golden_cycles(path, root)), machine


def _used(phases: Sequence[tuple[str, list[_Mapping]]]) -> Iterator[tuple[int, int]]:
    """Yields the coordinates in transfers, without values that are no numbers: :func:`_values` reports these."""
    for _, transfers in phases:
        for transfer in transfers:
            for x, y in _PLACES:
                with contextlib.suppress(KeyError, ValueError):
                    yield int(str(transfer[x])), int(str(transfer[y]))


def _load(path: Path) -> _Mapping:
    if path.suffix.lower() == ".json":
        root = _placed(read_json(path, "a workload"), f"{path}: ", "")
    else:
        root = _plain(read_yaml(path, "a workload"), path)
    if not isinstance(root, _Mapping) or "phases" not in root:
        raise InputError(f"{path}: expected a workload, which has the key 'phases', found none")
    return root


def _placed(value: Any, file: str, key: str) -> Any:  # noqa: ANN401 - any JSON value
    """Returns a JSON value whose mappings have their place in the file."""
    if isinstance(value, list):
        return [_placed(item, file, f"{key}[{number}]") for number, item in enumerate(value)]
    if isinstance(value, dict):
        mapping = _Mapping(
            (name, _placed(item, file, f"{key}.{name}" if key else name)) for name, item in value.items()
        )
        mapping.where = f"{file}{key}"
        return mapping
    return value


def _plain(node: Mapping[str, Any], path: Path) -> Any:  # noqa: ANN401 - any YAML value
    if node["kind"] == "list":
        return [_plain(item, path) for item in node["value"]]
    if node["kind"] == "mapping":
        mapping = _Mapping((str(key["value"]), _plain(value, path)) for key, value in node["value"])
        mapping.where = f"{path}:{node['line']}:{node['column']}"
        return mapping
    return node["value"]


def _phases(path: Path, root: Mapping[str, Any]) -> Iterator[tuple[str, list[_Mapping]]]:
    """Yields names and transfers of phases. In the file, phases and transfers are lists, or mappings by name."""
    phases = root["phases"]
    named = phases.items() if isinstance(phases, dict) else ((f"phase {n + 1}", p) for n, p in enumerate(_list(phases)))
    for name, phase in named:
        transfers = phase.get("transfers") if isinstance(phase, _Mapping) else None
        if transfers is None:
            raise InputError(f"{path}: phases: {name}: expected the key 'transfers', found none")
        items = list(transfers.values()) if isinstance(transfers, dict) else _list(transfers)
        for number, item in enumerate(items):
            if not isinstance(item, _Mapping):
                raise InputError(
                    f"{path}: phases: {name}: expected a mapping for transfer {number + 1}, found {item!r}"
                )
        yield str(name), items


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _golden_cycles(path: Path, root: Mapping[str, Any]) -> float | None:
    golden = root.get("golden_result")
    cycles = golden.get("cycles") if isinstance(golden, _Mapping) else None
    if cycles is None:
        return None
    try:
        value = float(cycles)
    except (TypeError, ValueError):
        value = 0.0
    if not 0 < value < _MOST:
        raise InputError(f"{path}: golden_result.cycles: expected a number of cycles, found {cycles!r}")
    return value


def _values(transfer: _Mapping, places: Places, phase: str, before: str) -> list[Any]:
    """Returns a transfer as the values of a table row."""

    def number(key: str, minimum: int, default: int | None = None) -> int:
        return int(_checked(transfer, key, default, int, minimum, "a whole number"))

    source = number("src_x", 0), number("src_y", 0)
    packet_bytes = number("packet_size", 1)
    event = str(transfer.get("noc_event_type", ""))
    if all(key in transfer for key in MULTICAST):
        corners = [number(key, 0) for key in MULTICAST]
        destination: Partner = _located(
            transfer, lambda: places.rectangle((corners[0], corners[1]), (corners[2], corners[3]))
        )
    else:
        place = number("dst_x", 0), number("dst_y", 0)
        destination = _located(transfer, lambda: places.partner(place))
    if places.is_dram(source) or event.startswith("READ"):
        if destination.kind != CORE:
            raise InputError(
                f"{transfer.where}: expected a core that reads, found {destination.kind} as the destination"
            )
        kind, core = READ, destination.cores[0]
        partner = _located(transfer, lambda: places.partner(source))
    else:
        is_posted = str(transfer.get("posted", "")).lower() == "true" and destination.kind != RECTANGLE
        kind, partner = (POSTED_WRITE if is_posted else WRITE), destination
        core = _located(transfer, lambda: places.core(source))
    noc = str(transfer.get("noc_type", "NOC_0"))
    if noc not in NOCS:
        raise InputError(f"{transfer.where}: noc_type: expected NOC_0 or NOC_1, found '{noc}'")
    rate = float(_checked(transfer, "injection_rate", 0.0, float, 0, "a number of bytes per cycle"))
    return values_by_name(
        {
            "name": phase,
            "kind": kind,
            "core": core,
            "partner": partner,
            "noc": NOCS[noc],
            "call_size": packet_bytes,
            "num_calls": number("num_packets", 1, 1),
            "barrier_interval": None,
            "start_cycle": float(_checked(transfer, "phase_cycle_offset", 0.0, float, 0, "a number of cycles")),
            "after": before or None,
            "call_interval_cycles": packet_bytes / rate if rate else 0.0,
        }
    )


def _checked(
    transfer: _Mapping, key: str, default: float | None, parse: Callable[[Any], float], minimum: int, expected: str
) -> float:
    found: Any = transfer.get(key, default)
    text = "nothing" if found is None else repr(found)
    try:
        value = parse(str(found))
    except ValueError:
        raise InputError(f"{transfer.where}: {key}: expected {expected} from {minimum} on, found {text}") from None
    if not minimum <= value <= _MOST:
        raise InputError(f"{transfer.where}: {key}: expected {expected} from {minimum} on, found {text}")
    return value


def _located(transfer: _Mapping, find: Callable[[], Any]) -> Any:  # noqa: ANN401 - result of `find`
    try:
        return find()
    except InputError as error:
        raise InputError(f"{transfer.where}: {error}") from None
