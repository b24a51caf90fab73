"""Which files of a checkout results depend on, whether git knows them or not."""

from __future__ import annotations

import re

_ROOMS_WITHOUT_PART = {"bin", "build", "benchmarks", "docs", "plots", "scripts", "tests"}
_SOURCE = re.compile(r"(.*/)?((?!test_)[^/]+\.(cpp|h|inl|cmake)|CMakeLists\.txt)")
_CONSTANTS = re.compile(r"device_model/archs/[^/]+\.yaml")
_DEVICE_HEADERS = re.compile(r"kernels/device/.+")
_MODULE = re.compile(r"scripts/nocbench/(.*/)?[^/]+\.py")


def is_source(name: str) -> bool:
    """Whether the extension module is compiled from a file, by its path in the repository."""
    room, slash, _ = name.partition("/")
    if not slash:
        return name == "CMakeLists.txt"
    return room not in _ROOMS_WITHOUT_PART and not room.startswith(".") and _SOURCE.fullmatch(name) is not None


def takes_part(name: str) -> bool:
    """Whether results may depend on a file: a source, constants, what device kernels are compiled with, or a module."""
    return is_source(name) or any(kind.fullmatch(name) is not None for kind in (_CONSTANTS, _DEVICE_HEADERS, _MODULE))
