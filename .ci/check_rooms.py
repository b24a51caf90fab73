#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that dependencies point one way: no include runs upward, no modules import each other in a circle.

Usage: .ci/check_rooms.py [--counts] [DIRECTORY]

--counts also prints how many sources each folder has. Exit status: 0 all is well; 1 it is not, with a line for each
include or import that is wrong; 2 bad usage.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCES_OF_A_FOLDER_MAX = 20

BASE = ("device_model/sim", "device_model/arch")
FIELDS = "device_model/arch/fields"
# Constants of each kind of machine.
TENSTORRENT_CONSTANTS = "device_model/tenstorrent/arch"
CONSTANTS = (
    "device_model/epiphany/arch",
    "device_model/plain_mesh/arch",
    TENSTORRENT_CONSTANTS,
    "device_model/wishbone/arch",
)
NETWORKS = ("device_model/noc/engine", "device_model/noc/packet_level", "device_model/noc/specification")
RISCV_PROGRAM = "device_model/riscv/program"
RISCV = ("device_model/riscv", "device_model/riscv/isa", RISCV_PROGRAM)
TENSTORRENT = (
    "device_model/tenstorrent",
    "device_model/tenstorrent/checks",
    "device_model/tenstorrent/compute",
    "device_model/tenstorrent/counting",
    "device_model/tenstorrent/endpoints",
    "device_model/tenstorrent/niu",
    "device_model/tenstorrent/tile",
)
EPIPHANY = (
    "device_model/epiphany",
    "device_model/epiphany/cores",
    "device_model/epiphany/dma",
    "device_model/epiphany/memory",
    "device_model/epiphany/mesh",
)
BUS_DEVICES = "device_model/wishbone/devices"
WISHBONE_SERVER = "device_model/wishbone/server"
MACHINES = (*TENSTORRENT, *EPIPHANY, "device_model/wishbone")
DEVICE_MODEL = (*BASE, *CONSTANTS, "device_model/noc", *RISCV, *MACHINES, BUS_DEVICES)
KERNELS = ("kernels/tensix", "kernels/device", "kernels/epiphany", "kernels/shmem", "kernels/etherbone")
HOST = "kernels/host"

# A file may include files of its own folder, and of the folders that stand here beside it. The longest name that fits
# counts. Networks are behind their contract: only what makes them includes them.
MAY_INCLUDE = {
    "device_model/sim": (),
    "device_model/arch": ("device_model/sim", FIELDS),
    FIELDS: BASE,
    **dict.fromkeys(CONSTANTS, (*BASE, FIELDS)),
    TENSTORRENT_CONSTANTS: (*BASE, FIELDS, "device_model/riscv"),
    "device_model/noc": BASE,
    **dict.fromkeys(NETWORKS, (*BASE, "device_model/noc")),
    "device_model/riscv": (*BASE, "device_model/riscv/isa"),
    "device_model/riscv/isa": BASE,
    RISCV_PROGRAM: BASE,
    **dict.fromkeys(TENSTORRENT, (*BASE, "device_model/noc", *RISCV, TENSTORRENT_CONSTANTS, *TENSTORRENT)),
    **dict.fromkeys(EPIPHANY, (*BASE, "device_model/noc", *RISCV, "device_model/epiphany/arch", *EPIPHANY)),
    "device_model/wishbone": (*BASE, "device_model/wishbone/arch", BUS_DEVICES),
    BUS_DEVICES: BASE,
    WISHBONE_SERVER: (*BASE, "device_model/wishbone", "device_model/wishbone/arch", BUS_DEVICES),
    **dict.fromkeys(KERNELS, DEVICE_MODEL),
    "kernels/shmem": (*DEVICE_MODEL, "kernels/epiphany"),
    "kernels/frame": (*DEVICE_MODEL, *KERNELS),
    HOST: (*DEVICE_MODEL, *KERNELS, "kernels/frame"),
    "bindings": (*DEVICE_MODEL, *KERNELS, WISHBONE_SERVER, "bindings/host", "kernels/frame", HOST),
    "bindings/host": (*DEVICE_MODEL, *KERNELS, "bindings", "kernels/frame", HOST),
    "benchmarks": None,
    "examples": None,
    "tests": None,
}
MAKES_NETWORKS = "device_model/noc/make_network.cpp"
# Kernels compiled for the device, host programs and programs for OpenSHMEM look there for what they include, and not in
# the root.
DEVICE_HEADERS = "kernels/device"
SEARCH_PATHS = {
    DEVICE_HEADERS: (
        "kernels/device/include",
        "kernels/device/include/tt_metal",
        "kernels/device/include/tt_metal/hw/inc",
        "kernels/device/include/tt_metal/api",
        "kernels/device/include/tt_metal/hostdevcommon/api",
        "kernels/device/watching",
        "kernels/device/cxx",
        "kernels/device/suite",
    ),
    HOST: ("kernels/host/include",),
    "bindings/host": ("kernels/host/include",),
    "kernels/shmem": ("kernels/shmem/include", "kernels/shmem/library"),
}
# Kernels of a primitive that are written for the device have their headers there.
DEVICE_KERNELS = "kernels/device/"
# Headers from elsewhere: from a user's tt-metal, when kernels are compiled with its headers, and the device form of a
# function, for native kernels that are compiled for RISCs.
FROM_ELSEWHERE = ("hostdevcommon/dprint_common.h", "kernels/frame/device/meeting.h")
DEFINITION = "definition.cpp"
"""The file that makes a folder a primitive."""
OF_A_PRIMITIVE = (*DEVICE_MODEL, *KERNELS, "kernels/frame")

# From the bottom up: a package may import those before it.
PACKAGES = (
    "_core",
    "support",
    "extension",
    "architectures",
    "compiling",
    "points",
    "results",
    "programs",
    "checks",
    "flow_tables",
    "replaying",
    "openshmem",
    "etherbone",
    "published",
    "running",
    "host",
    "ttnn",
    "estimating",
    "optimising",
    "drawing",
    "one_point",
    "pages",
    "history",
    "gating",
    "suites",
    "reports",
    "schemas",
    "site",
    "serving",
    "functions",
    "api",
    "",  # nocbench itself
    "commands",
    "command_line",
    "__main__",
)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SOURCES = (".cpp", ".h", ".inl", ".py")


def room_of(root: Path, path: str) -> str:
    """Returns the room of a file: the longest that is named above, or the folder of its primitive."""
    names = [room for room in MAY_INCLUDE if path.startswith(f"{room}/")]
    if names:
        return max(names, key=len)
    folders = path.split("/")[:-1]
    inner = "/".join(folders[:2])
    return inner if (root / inner / DEFINITION).is_file() else folders[0] if folders else ""


def folders_without_room(root: Path) -> list[str]:
    """Returns a line for each folder of the device model with sources that is not named above."""
    folders = {
        path.parent.relative_to(root).as_posix()
        for path in (root / "device_model").rglob("*")
        if path.suffix in (".cpp", ".h", ".inl")
    }
    return [f"{folder}: expected a row in MAY_INCLUDE, found none" for folder in sorted(folders - set(MAY_INCLUDE))]


def wrong_includes(root: Path, rooms: list[str]) -> list[str]:
    """A line for each include that its room may not have."""
    wrong = []
    for room in rooms:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in (".cpp", ".h", ".inl"):
                continue
            name = path.relative_to(root).as_posix()
            here = room_of(root, name)
            is_test = path.name.startswith("test_")  # of a primitive, beside it
            allowed = MAY_INCLUDE.get(here, OF_A_PRIMITIVE)
            if allowed is None or is_test:
                continue
            for match in INCLUDE.finditer(path.read_text()):
                if here == DEVICE_HEADERS and match[1] in FROM_ELSEWHERE:
                    continue
                is_device_kernel = name.startswith(f"{here}/{DEVICE_KERNELS}")
                searched = SEARCH_PATHS[DEVICE_HEADERS] if is_device_kernel else SEARCH_PATHS.get(here, ())
                if any((root / folder / match[1]).is_file() for folder in searched):
                    continue
                there = room_of(root, match[1])
                if there in NETWORKS and name == MAKES_NETWORKS:
                    continue
                if "/" in match[1] and there != here and there not in allowed:
                    line = path.read_text().count("\n", 0, match.start()) + 1
                    wrong.append(f"{name}:{line}: a file of {here} may not include {match[1]}")
    return wrong


def modules_of(root: Path) -> dict[str, Path]:
    """The modules of the Python package by name."""
    scripts = root / "scripts"
    modules = {}
    for path in sorted((scripts / "nocbench").rglob("*.py")):
        parts = path.relative_to(scripts).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return modules


def imports_of(path: Path, modules: dict[str, Path]) -> dict[str, int]:
    """The modules of the package that one imports anywhere, for types only included, with the line."""
    found: dict[str, int] = {}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "nocbench":
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.setdefault(inner if inner in modules or alias.name == "_core" else node.module, node.lineno)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in modules:
                    found.setdefault(alias.name, node.lineno)
    return found


def package_of(module: str) -> str:
    """The part of the package that a module belongs to."""
    return [*module.split("."), ""][1]


def wrong_imports(root: Path) -> list[str]:
    """A line for each import that runs upward, and one for a circle of imports if there is any."""
    modules = modules_of(root)
    graph = {name: imports_of(path, modules) for name, path in modules.items()}
    wrong = []
    for name, imports in graph.items():
        here = package_of(name)
        if here not in PACKAGES:
            wrong.append(f"{modules[name].relative_to(root)}: package '{here}' has no place in the order of packages")
            continue
        for other, line in imports.items():
            there = package_of(other)
            if there not in PACKAGES or PACKAGES.index(there) > PACKAGES.index(here):
                wrong.append(f"{modules[name].relative_to(root)}:{line}: {name} may not import {other}")
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        wrong.append(f"a circle of imports: {' -> '.join(error.args[1])}")
    return wrong


def crowded_folders(root: Path, rooms: list[str], counts: bool) -> list[str]:
    """A line for each folder with more sources than can be taken in at a glance."""
    number = Counter(
        path.parent.relative_to(root).as_posix()
        for room in rooms
        for path in (root / room).rglob("*")
        if path.suffix in SOURCES
    )
    if counts:
        for folder, sources in sorted(number.items()):
            print(f"{sources:4} {folder}")
    return [
        f"{folder}: {sources} sources, at most {SOURCES_OF_A_FOLDER_MAX} are wanted"
        for folder, sources in sorted(number.items())
        if sources > SOURCES_OF_A_FOLDER_MAX
    ]


def main(arguments: list[str]) -> int:
    """Prints what is wrong."""
    counts = "--counts" in arguments
    places = [argument for argument in arguments if argument != "--counts"]
    if len(places) > 1 or any(place.startswith("-") for place in places):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(places[0]) if places else Path(__file__).resolve().parents[1]
    if not (root / "device_model").is_dir():
        print(f"check_rooms: {root} has no device_model/: expected a checkout", file=sys.stderr)
        return 2
    rooms = sorted(
        path.name
        for path in root.iterdir()
        if path.is_dir() and not path.name.startswith(".") and path.name not in ("build", "plots", "docs")
    )
    wrong = [
        *folders_without_room(root),
        *wrong_includes(root, rooms),
        *wrong_imports(root),
        *crowded_folders(root, rooms, counts),
    ]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
