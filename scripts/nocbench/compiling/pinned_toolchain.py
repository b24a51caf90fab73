"""The default compiler of kernels: the same version on every machine, so that kernels take the same cycles.

The compiler consists of Debian packages, unpacked into a folder of its own. pinned_toolchain.json lists them with
hashes. `python -m nocbench.compiling.fetch_toolchain` fetches them.
"""

from __future__ import annotations

import functools
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError
from nocbench.support.kept_files import cache_directory, digest_of_parts
from nocbench.support.package import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPILER = "usr/bin/riscv64-unknown-elf-gcc"
"""Path of the compiler in the toolchain's folder."""
FETCH = "python -m nocbench.compiling.fetch_toolchain"
VARIABLE = "NOCBENCH_TOOLCHAIN"
CONTENT = "content.json"
"""Name of the file in the toolchain's folder that identifies its content."""

LOCK = Path(__file__).with_suffix(".json")
_ALL = "all"


@dataclass(frozen=True)
class PackageFile:
    """A file of a package.

    Attributes:
        path: path in a Debian archive.
        bytes: size of the file.
        sha256: SHA-256 of the file.
        sha1: SHA-1 of the file, its name in archives of old packages.
    """

    path: str
    bytes: int
    sha256: str
    sha1: str


@dataclass(frozen=True)
class Package:
    """A package, with patterns of the needed files.

    Attributes:
        name: name in Debian.
        version: version in Debian.
        keep: patterns of the paths to unpack.
        files: files by Debian's name of the machine, or under "all".
    """

    name: str
    version: str
    keep: tuple[str, ...]
    files: Mapping[str, PackageFile]

    def file_for(self, machine: str) -> PackageFile | None:
        """Returns the file for a machine; None for an unsupported machine."""
        return self.files.get(machine, self.files.get(_ALL))


@functools.cache
def packages() -> tuple[Package, ...]:
    """Returns all pinned packages."""
    return tuple(
        Package(
            entry["name"],
            entry["version"],
            tuple(entry["keep"]),
            {machine: PackageFile(**file) for machine, file in entry["files"].items()},
        )
        for entry in json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    )


@functools.cache
def identity() -> str:
    """Returns a text that identifies the version.

    The same text serves all machines: the compiler's output is the same on all.
    """
    words = (word for package in packages() for word in (package.name, package.version, *package.keep))
    return f"pinned {digest_of_parts(*words)}"


def machine() -> str:
    """Returns Debian's name for the processor of this machine."""
    name = os.uname().machine
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(name, name)


def folder_to_fill() -> Path:
    """Returns the folder to unpack to: in a checkout, a folder below `build`; otherwise, one in the user's cache."""
    checkout = PACKAGE.parents[1]
    is_checkout = (checkout / "kernels" / "device").is_dir() and not (PACKAGE / "device").is_dir()
    place = checkout / "build" if is_checkout else cache_directory()
    return place / "toolchain" / f"{identity().split()[-1]}-{machine()}"


def pinned_folder() -> Path | None:
    """Returns the folder of the toolchain, None before it is fetched. $NOCBENCH_TOOLCHAIN selects the folder.

    Raises:
        InputError: the selected folder does not hold this toolchain.
    """
    if named := os.environ.get(VARIABLE):
        folder = Path(named).absolute()
        if not _is_filled(folder):
            raise InputError(
                f"{VARIABLE}: {named}: expected a folder that '{FETCH}' of this revision has filled, found another one"
            )
        return folder
    folder = folder_to_fill()
    return folder if _is_filled(folder) else None


def _is_filled(folder: Path) -> bool:
    try:
        return bool(json.loads((folder / CONTENT).read_text(encoding="utf-8"))["identity"] == identity())
    except (OSError, ValueError, KeyError, TypeError):
        return False
