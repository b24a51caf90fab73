"""Source lines of a kernel's instructions, through all inlined calls."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.compiling.toolchain import environment, line_finder
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nocbench.compiling.toolchain import Toolchain

_TIMEOUT_S = 60


class Frame(NamedTuple):
    """A source line. Code without line information, as in libraries, has an empty file and line 0."""

    function: str
    file: str
    line: int


SourceMap = tuple[tuple[int, tuple[Frame, ...]], ...]
"""Address and frames of each instruction: from the innermost inlined call to the kernel's line."""


def source_map(toolchain: Toolchain, image: Path, addresses: Sequence[int]) -> SourceMap:
    """Returns the source lines of instructions, by one run of addr2line.

    Args:
        toolchain: toolchain that contains addr2line.
        image: a file with debug information.
        addresses: addresses of instructions.

    Raises:
        InputError: addr2line does not exist, or fails.
    """
    finder = line_finder(toolchain)
    try:
        completed = subprocess.run(  # noqa: S603 - addr2line, with fixed arguments
            [str(finder), "-a", "-f", "-i", "-C", "-e", str(image)],
            input="".join(f"{address:#x}\n" for address in addresses).encode(),
            capture_output=True,
            check=False,
            env=environment(toolchain),
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or "it does not end"
        raise InputError(f"{finder}: cannot be run: {reason}") from None
    if completed.returncode != 0:
        raise InputError(f"{finder}: {completed.stderr.decode(errors='replace').strip() or 'failed'}")
    return _parse(completed.stdout.decode(errors="replace").splitlines())


def _parse(lines: list[str]) -> SourceMap:
    """Parses the output of addr2line: each address is followed by pairs of lines, a function and its source line."""
    known: dict[tuple[str, str], Frame] = {}
    chains: dict[tuple[Frame, ...], tuple[Frame, ...]] = {}
    entries: list[tuple[int, tuple[Frame, ...]]] = []
    at = 0
    while at < len(lines):
        address = int(lines[at], 16)
        at += 1
        frames = []
        while at + 1 < len(lines) and not lines[at].startswith("0x"):
            pair = (lines[at], lines[at + 1])
            frame = known.get(pair)
            if frame is None:
                frame = known[pair] = _frame(*pair)
            frames.append(frame)
            at += 2
        chain = tuple(frames)
        entries.append((address, chains.setdefault(chain, chain)))
    return tuple(entries)


def _frame(function: str, place: str) -> Frame:
    file, _, line = place.partition(" (")[0].rpartition(":")  # " (discriminator N)" may follow the line number
    if not file or file == "??":
        return Frame("" if function == "??" else function, "", 0)
    return Frame(function, os.path.normpath(file), int(line) if line.isdecimal() else 0)


def pack_source_map(lines: SourceMap) -> dict[str, Any]:
    """Converts a source map to JSON values that hold each frame and each chain once."""
    frames: dict[Frame, int] = {}
    chains: dict[tuple[Frame, ...], int] = {}
    for _, chain in lines:
        chains.setdefault(chain, len(chains))
        for frame in chain:
            frames.setdefault(frame, len(frames))
    return {
        "frames": list(frames),
        "chains": [[frames[frame] for frame in chain] for chain in chains],
        "lines": [(address, chains[chain]) for address, chain in lines],
    }


def unpack_source_map(facts: dict[str, Any]) -> SourceMap:
    """Returns the source map packed by `pack_source_map`."""
    frames = [Frame(*frame) for frame in facts["frames"]]
    chains = [tuple(frames[index] for index in chain) for chain in facts["chains"]]
    return tuple((address, chains[index]) for address, index in facts["lines"])
