"""Files that describe further devices for the bus of a served FPGA (docs/etherbone.md)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.points.yaml_files import YamlFile, found
from nocbench.support.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.etherbone.bus_devices import BusDevice
    from nocbench.points.yaml_files import Node

WORD_BYTES = 4
NAME_CHARACTERS_MAX = 19
DEVICES_MAX = 255
"""Maximum number of devices without the crossbar, which also has a record in the table."""
DEVICE_BYTES_MAX = 1 << 28
TABLE_BYTES = 256 * 64
"""Size of the longest table of devices, in bytes."""
_LAST_ADDRESS = 2**32 - 1

_KINDS = ("memory", "counter", "file")
_KEYS = {
    "memory": ("kind", "name", "address", "bytes", "vendor", "device", "values", "initial_file"),
    "counter": ("kind", "name", "address", "bytes", "vendor", "device", "counts"),
    "file": ("kind", "name", "address", "bytes", "vendor", "device", "path"),
}
_COUNTED = ("reads", "clock")
_DEVICE_NUMBERS = {"memory": 1, "counter": 2, "file": 3}


@dataclass(frozen=True)
class Device:
    """A device that the user describes.

    Attributes:
        kind: "memory", "reads counter", "clock counter" or "file".
        contents: contents at the start.
        path: path of the file behind a device of kind "file"; else empty.
    """

    kind: str
    name: str
    address: int
    size: int
    vendor: int
    device: int
    contents: bytes = b""
    path: str = ""


def read_devices(path: Path, built_in: Sequence[BusDevice]) -> tuple[Device, ...]:
    """Returns the devices in a file, which are added to the built-in ones.

    Raises:
        InputError: mistakes in the file; the message gives line, key, expected and found value of each.
    """
    file = YamlFile(path, "a file of bus devices")
    entries = file.mapping(file.root, "", ("devices",), required=("devices",))
    nodes = file.items(entries.get("devices"), "devices")
    listed = sum(device.is_listed for device in built_in)
    if len(nodes) + listed > DEVICES_MAX:
        file.complain(
            entries["devices"],
            "devices",
            f"at most {DEVICES_MAX - listed} devices, as the table of devices has room for {DEVICES_MAX} and {listed} "
            "are built in",
            str(len(nodes)),
        )
    taken = [
        (
            built.first_address,
            built.last_address if built.is_listed else built.first_address + TABLE_BYTES - 1,
            built.name,
        )
        for built in built_in
    ]
    devices: list[Device] = []
    for index, node in enumerate(nodes):
        device = _Reader(file, path.parent, f"devices[{index}]", node).read(taken, devices)
        if device is not None:
            taken.append((device.address, device.address + device.size - 1, device.name))
            devices.append(device)
    file.require_no_mistakes()
    return tuple(devices)


class _Reader:
    def __init__(self, file: YamlFile, directory: Path, key: str, node: Node) -> None:
        self.file = file
        self.directory = directory
        self.key = key
        self.node = node
        self.entries: dict[str, Node] = {}

    def read(self, taken: Sequence[tuple[int, int, str]], others: Sequence[Device]) -> Device | None:
        """Returns the device, or None after a mistake.

        `taken` lists used address ranges, `others` the devices read before.
        """
        kind = self._kind()
        if kind is None:
            return None
        required = ("name", "address", "bytes", *(("path",) if kind == "file" else ()))
        self.entries = self.file.mapping(self.node, self.key, _KEYS[kind], required=required)
        name = self._name()
        address = self._number(
            "address", "an address, a multiple of 4 from 0 to 0xfffffffc", 0, _LAST_ADDRESS, WORD_BYTES
        )
        size = self._number(
            "bytes", f"a multiple of 4 from 4 to {DEVICE_BYTES_MAX:,}", WORD_BYTES, DEVICE_BYTES_MAX, WORD_BYTES
        )
        vendor = self._number("vendor", "a number of 64 bits", 0, 2**64 - 1, default=0)
        number = self._number("device", "a number of 32 bits", 0, 2**32 - 1, default=_DEVICE_NUMBERS[kind])
        if name is None or address is None or size is None or vendor is None or number is None:
            return None
        if not self._is_free(address, size, taken):
            return None
        if kind == "counter":
            kind = f"{self._counted()} counter"
        contents, path = self._contents(kind, size, others)
        return Device(kind, name, address, size, vendor, number, contents, path)

    def _at(self, name: str) -> str:
        return f"{self.key}.{name}"

    def _kind(self) -> str | None:
        if self.node["kind"] != "mapping":
            self.file.complain(self.node, self.key, "a mapping with the key kind", found(self.node))
            return None
        nodes = [value for key, value in self.node["value"] if key["value"] == "kind"]
        if not nodes:
            self.file.complain(self.node, self._at("kind"), f"this key: one of {', '.join(_KINDS)}", "nothing")
            return None
        kind = str(nodes[0]["value"])
        if nodes[0]["kind"] != "text" or kind not in _KINDS:
            hint = did_you_mean(kind, _KINDS)
            self.file.complain(nodes[0], self._at("kind"), f"one of {', '.join(_KINDS)}", found(nodes[0]) + hint)
            return None
        return kind

    def _name(self) -> str | None:
        name = self.file.text(self.entries.get("name"), self._at("name"))
        if not name:
            return None
        if len(name) > NAME_CHARACTERS_MAX or not name.isascii() or not name.isprintable():
            self.file.complain(
                self.entries["name"],
                self._at("name"),
                f"a name of at most {NAME_CHARACTERS_MAX} printable ASCII characters",
                f"'{name}', which has {len(name)}" if name.isascii() and name.isprintable() else repr(name),
            )
            return None
        return name

    def _number(
        self, name: str, expected: str, least: int, most: int, multiple: int = 1, default: int | None = None
    ) -> int | None:
        """Returns a number in C notation; None if it is invalid."""

        def parse(text: str) -> int:
            value = int(text, 0)
            if not least <= value <= most or value % multiple:
                raise ValueError
            return value

        node = self.entries.get(name)
        return default if node is None else self.file.value(node, self._at(name), expected, parse)

    def _is_free(self, address: int, size: int, taken: Sequence[tuple[int, int, str]]) -> bool:
        last = address + size - 1
        if last > _LAST_ADDRESS:
            self.file.complain(
                self.entries["bytes"],
                self._at("bytes"),
                f"a range that ends at 0x{_LAST_ADDRESS:x} or before, as the bus has 32 address bits",
                f"0x{address:x} to 0x{last:x}",
            )
            return False
        for first, end, name in taken:
            if first <= last and address <= end:
                self.file.complain(
                    self.entries["address"],
                    self._at("address"),
                    "a range that is free",
                    f"0x{address:x} to 0x{last:x}, which overlaps {name} at 0x{first:x} to 0x{end:x}",
                )
                return False
        return True

    def _counted(self) -> str:
        node = self.entries.get("counts")
        if node is None:
            return _COUNTED[0]
        if node["value"] not in _COUNTED:
            self.file.complain(node, self._at("counts"), " or ".join(_COUNTED), found(node))
            return _COUNTED[0]
        return str(node["value"])

    def _contents(self, kind: str, size: int, others: Sequence[Device]) -> tuple[bytes, str]:
        """Returns the initial contents of the device, and the path of its file."""
        if kind == "file":
            node = self.entries.get("path")
            path = None if node is None else self._path(node, "path")
            if node is None or path is None:
                return b"", ""
            if other := next((device for device in others if device.path == str(path.resolve())), None):
                self.file.complain(node, self._at("path"), "a file that no other device has", f"that of {other.name}")
            if not path.exists():
                if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
                    self.file.complain(
                        node, self._at("path"), "a file, or a new one in a folder that can be written", str(path)
                    )
                return b"", str(path.resolve())
            return self._bytes_of(node, "path", path, size), str(path.resolve())
        if "values" in self.entries and "initial_file" in self.entries:
            self.file.complain(self.entries["initial_file"], self._at("initial_file"), "values or this key", "both")
        if "initial_file" in self.entries:
            node = self.entries["initial_file"]
            path = self._path(node, "initial_file")
            return (b"" if path is None else self._bytes_of(node, "initial_file", path, size)), ""
        return self._values(size), ""

    def _values(self, size: int) -> bytes:
        node = self.entries.get("values")
        words = [
            self.file.value(item, f"{self.key}.values[{index}]", "a number of 32 bits", _word) or b""
            for index, item in enumerate(self.file.items(node, self._at("values")))
        ]
        contents = b"".join(words)
        if node is not None and len(contents) > size:
            self.file.complain(node, self._at("values"), f"at most {size // WORD_BYTES} words", str(len(words)))
        return contents

    def _path(self, node: Node, name: str) -> Path | None:
        text = self.file.text(node, self._at(name))
        return self.directory / Path(text).expanduser() if text else None

    def _bytes_of(self, node: Node, name: str, path: Path, size: int) -> bytes:
        try:
            contents = path.read_bytes()
        except OSError as error:
            self.file.complain(node, self._at(name), "a file that can be read", f"{path}: {error.strerror}")
            return b""
        if len(contents) > size:
            self.file.complain(
                node, self._at(name), f"a file of at most {size:,} bytes", f"{len(contents):,} in {path}"
            )
        return contents


def _word(text: str) -> bytes:
    """Converts a number to the bytes of a bus word.

    Raises:
        ValueError: the text is no number, or the number has more than 32 bits.
    """
    value = int(text, 0)
    if not 0 <= value < 2**32:
        raise ValueError
    return value.to_bytes(WORD_BYTES, "big")
