"""Tells the user's files in source maps from headers of the device and of compilers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling.toolchain import shmem_directory
from nocbench.support.device_files import device_directory

if TYPE_CHECKING:
    from nocbench.compiling.source_map import Frame, SourceMap


def short_chains(source_map: SourceMap) -> SourceMap:
    """Shortens a source map for messages: frames in the user's files, after the one that they call in other headers."""
    own = OwnFiles()
    short: dict[tuple[Frame, ...], tuple[Frame, ...]] = {}
    for _, chain in source_map:
        if chain not in short:
            users = [index for index, frame in enumerate(chain) if own.has(frame)]
            first = max(users[0] - 1, 0) if users else 0
            kept = chain[first : users[-1] + 1] if users else chain
            short[chain] = tuple(frame._replace(function=_plain(frame.function)) for frame in kept)
    return tuple((address, short[chain]) for address, chain in source_map)


def _plain(function: str) -> str:
    """Strips types from a function's name: "void copy<4ul>(unsigned long)" is "copy"."""
    if "operator" in function:
        return function
    return function.partition("(")[0].partition("<")[0].split(" ")[-1] or function


# Folders of tt-metal with headers and start files of the device.
_OF_THE_DEVICE = ("/tt_metal/hw/", "/tt_metal/hostdevcommon/")


class OwnFiles:
    """Tells the user's files from headers of the device and of compilers."""

    def __init__(self, folder: Path | None = None) -> None:
        """Starts with no known files.

        Args:
            folder: base of the paths in source maps of the user's files, which exist; None: paths are absolute.
        """
        self._foreign = (str(device_directory()), str(shmem_directory()), "/usr/")
        self._folder = folder
        self._known: dict[str, bool] = {}

    def has(self, frame: Frame) -> bool:
        """True if a frame is in a file of the user's."""
        if frame.line == 0:
            return False
        if frame.file not in self._known:
            path = self.path_of(frame.file)
            self._known[frame.file] = (
                path.startswith("/")
                and not path.startswith(self._foreign)
                and not any(folder in path for folder in _OF_THE_DEVICE)
                and (self._folder is None or Path(path).is_file())
            )
        return self._known[frame.file]

    def path_of(self, file: str) -> str:
        """Returns the absolute path of a file of the user's."""
        return file if self._folder is None else os.path.normpath(self._folder / file)
