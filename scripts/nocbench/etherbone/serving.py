"""Serving of a modeled FPGA to programs written for the hardware."""

from __future__ import annotations

import hashlib
import socket
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.etherbone.bus_devices import bus_devices
from nocbench.etherbone.devices_file import read_devices
from nocbench.extension import input_errors
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench._core import EtherboneServer
    from nocbench.etherbone.devices_file import Device


@dataclass(frozen=True)
class ServerRequest:
    """An FPGA to serve, and its ports.

    Attributes:
        board: board; empty: the default board.
        settings: changed fields of the architecture.
        address: address to bind sockets to.
        udp_port: UDP port; 0: any free port; None: no UDP.
        tcp_port: TCP port; 0: any free port; None: no TCP.
        pty_link: path of a symbolic link to the pseudo terminal; empty: no link.
        is_modeled: True if the FPGA's clock advances with messages only; False: it is the computer's clock.
        is_paced: True to delay answers until the modeled time has passed in real time.
        devices_file: file of further devices.
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
    """Opens a server's ports. Clients that connect wait until the server serves.

    Raises:
        InputError: an unknown board, an unavailable port, a mistake in the file of devices, or a file behind a device
            that another server has.
    """
    devices: tuple[Device, ...] = ()
    claims = []
    if request.devices_file is not None:
        devices = read_devices(request.devices_file, bus_devices(request.board, request.settings))
        claims = [_claim(device, request.devices_file) for device in devices if device.path]
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
    with input_errors() as core:
        server: EtherboneServer = core.EtherboneServer(request.board, request.settings, descriptions, options)
    for claim in claims:
        weakref.finalize(server, claim.close)
    return server


def _claim(device: Device, devices_file: Path) -> socket.socket:
    """Claims the file behind a device for this server: a socket with a name that the system gives to one process.

    Raises InputError if another server has the file: each would overwrite the changes of the other.
    """
    claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        claim.bind(f"\0nocbench-{hashlib.sha256(device.path.encode()).hexdigest()}")
    except OSError:
        claim.close()
        raise InputError(
            f"{devices_file}: device '{device.name}': path: expected a file that no other server uses, found "
            f"{device.path}, which one does"
        ) from None
    return claim
