"""Which places of source maps are in files of the user's, and which in headers of the device or of compilers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.compiling.toolchain import device_directory

if TYPE_CHECKING:
    from nocbench.compiling.source_map import Frame, SourceMap


def short_chains(source_map: SourceMap) -> SourceMap:
    """Places for messages: the user's own, and before them what they call in headers that are not the user's."""
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
    """A function's name without its types: "void copy<4ul>(unsigned long)" is "copy"."""
    if "operator" in function:
        return function
    return function.partition("(")[0].partition("<")[0].split(" ")[-1] or function


# Where tt-metal has the headers and start files of the device.
_OF_THE_DEVICE = ("/tt_metal/hw/", "/tt_metal/hostdevcommon/")


class OwnFiles:
    """Tells files of the user's from those of the device's headers and of compilers."""

    def __init__(self) -> None:
        """Knows none yet."""
        self._foreign = (str(device_directory()), "/usr/")
        self._known: dict[str, bool] = {}

    def has(self, frame: Frame) -> bool:
        """Whether a place is in a file of the user's."""
        if frame.file not in self._known:
            self._known[frame.file] = (
                frame.file.startswith("/")
                and not frame.file.startswith(self._foreign)
                and not any(folder in frame.file for folder in _OF_THE_DEVICE)
            )
        return frame.line > 0 and self._known[frame.file]
