"""Distinction between the user's files in source maps and headers of the device or compiler."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling.toolchain import shmem_directory
from nocbench.support.device_files import device_directory

if TYPE_CHECKING:
    from nocbench.compiling.source_map import Frame, SourceMap


def short_chains(source_map: SourceMap) -> SourceMap:
    """Returns a source map for messages: the frames in the user's files and the first frame in other headers."""
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
    """Returns a function's name without types: "copy" for "void copy<4ul>(unsigned long)"."""
    if "operator" in function:
        return function
    return function.partition("(")[0].partition("<")[0].split(" ")[-1] or function


# Folders of tt-metal with headers and start files of the device.
_OF_THE_DEVICE = ("/tt_metal/hw/", "/tt_metal/hostdevcommon/")


class OwnFiles:
    """The user's files, as opposed to headers of the device and of compilers."""

    def __init__(self, folder: Path | None = None) -> None:
        """Starts without known files.

        Args:
            folder: base of relative paths in source maps; the user's files exist below it. None: paths are absolute.
        """
        self._foreign = (str(device_directory()), str(shmem_directory()), "/usr/")
        self._folder = folder
        self._known: dict[str, bool] = {}

    def has(self, frame: Frame) -> bool:
        """Returns True for a frame in one of the user's files."""
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
        """Returns the absolute path of one of the user's files."""
        return file if self._folder is None else os.path.normpath(self._folder / file)
