"""Serving of a modeled FPGA to programs that were written for the hardware."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.etherbone.devices_file import read_devices
from nocbench.points import simulator

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench._core import EtherboneServer
    from nocbench.etherbone.devices_file import Device


@dataclass(frozen=True)
class ServerRequest:
    """An FPGA that is to be served, and its doors.

    Attributes:
        board: or empty, for the default one.
        settings: fields of the architecture that differ.
        address: that sockets are bound to.
        udp_port: None for no such door; 0 for one that is free.
        tcp_port: likewise.
        pty_link: a symbolic link to the pseudo terminal; empty for none.
        is_modeled: whether the FPGA's clock moves with messages only; else it is the computer's.
        is_paced: whether answers are held back until the modeled time has passed in real time.
        devices_file: of further devices.
    """

    board: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    address: str = "127.0.0.1"
    udp_port: int | None = None
    tcp_port: int | None = None
    has_pty: bool = False
    pty_link: str = ""
    is_modeled: bool = True
    is_paced: bool = False
    devices_file: Path | None = None


def open_server(request: ServerRequest) -> EtherboneServer:
    """Opens its doors; clients wait until it serves.

    Raises:
        InputError: an unknown board, a port that cannot be had, a mistake in the file of devices.
    """
    devices: tuple[Device, ...] = ()
    if request.devices_file is not None:
        devices = read_devices(request.devices_file, simulator.bus_devices(request.board, request.settings))
    descriptions = [
        {
            "kind": device.kind,
            "name": device.name,
            "address": device.address,
            "bytes": device.size,
            "vendor": device.vendor,
            "device": device.device,
            "contents": device.contents,
            "path": device.path,
        }
        for device in devices
    ]
    options = {
        "address": request.address,
        "udp_port": request.udp_port,
        "tcp_port": request.tcp_port,
        "has_pty": request.has_pty,
        "pty_link": request.pty_link,
        "is_modeled": request.is_modeled,
        "is_paced": request.is_paced,
    }
    return simulator.etherbone_server(request.board, request.settings, descriptions, options)
