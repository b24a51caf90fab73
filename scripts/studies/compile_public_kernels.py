#!/usr/bin/env python3
"""Compiles the plain data-movement kernels of a tree of tt-metal: a checkout, or an unpacked `ttnn` wheel.

A plain kernel is a file with `kernel_main` that is no compute, fabric, CCL, Ethernet, dispatch or Quasar kernel. The
inputs that its host program would give it are guessed. Their names come from the source, and from what the compiler
reports as missing. Each compile-time argument is 2, which can mean a buffer, a small count, or the layout of a tensor
that is interleaved in DRAM; where 2 does not compile, named ones are also tried with 32 and 1.

Prints for each architecture the share of the kernels that compile, and the first errors of the others, grouped.

Exit status: 0; 1 the share is below --least; 2 bad usage.

Example:
    .venv/bin/python scripts/studies/compile_public_kernels.py /tmp/ttnn --headers theirs --least 90
"""

from __future__ import annotations

import argparse
import collections
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.messages import KernelCompileError
from nocbench.compiling.request import ARCHITECTURES, BufferFormat, KernelRequest, TensorLayout
from nocbench.compiling.tt_metal import find_tt_metal
from nocbench.support.errors import InputError, NocbenchError

ATTEMPTS = 8
NUM_DRAM_BANKS = {"wormhole_b0": 12, "blackhole": 8}
NUM_L1_BANKS = {"wormhole_b0": 64, "blackhole": 130}
PCIE_NOC = (0, 3)  # headers of 2025 need any
GUESS = 2
NUM_COMPILE_TIME_ARGS = 96
TILE_BYTES = 2048

_PLACES_LEFT_OUT = re.compile(
    r"/(compute|fabric|ccl|dispatch|quasar|firmware|sync|point_to_point|tt-2xx|compute_kernels)(/|_)|/(all_|reduce_scatter)"
    r"|_ccl|mesh_partition|eltwise_api|drisc_"
)
_WORDS_LEFT_OUT = re.compile(
    rb"tt_fabric|edm_fabric|fabric/|/ccl/|\beth_\w+\(|api/compute/|compute_kernel_api|\bcompute_kernel_lib\b|ARCH_QUASAR\s*$"
    rb"|ckernel_include|chlkc|fabric_|kernel/compute/|unified_kernels/"
)
_MAIN = re.compile(rb"\bkernel_main\s*\(")
_NAMED = re.compile(r"\b(args|dfb|sem|tensor|scratch)::(?!AccessPattern)([A-Za-z_]\w*)")
_NAMED_VALUE = re.compile(r"get_named_compile_time_arg_val\(\s*\"([^\"]+)\"")
_CONSTANT = re.compile(r"(?:constexpr|<|\bif constexpr)[^;{}]*?\bargs::([A-Za-z_]\w*)")
_MISSING_MEMBER = re.compile(r"'([A-Za-z_]\w*)' is not a member of '(args|dfb|sem|tensor|scratch)'")
# Macros that the kernels' host programs define, as opposed to macros of device headers.
_UNDECLARED = re.compile(r"^(?!\S*/hw/inc/)\S+ error: '([A-Z][A-Z0-9_]*)' was not declared in this scope", re.MULTILINE)
_NO_FUNCTION = re.compile(r"error: expression cannot be used as a function\n[^\n]*?\b([A-Z][A-Z0-9_]+)\(")


@dataclass
class Guess:
    """Guessed inputs of a kernel, which its host program would give."""

    runtime: dict[str, None] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    buffers: dict[str, None] = field(default_factory=dict)
    semaphores: dict[str, None] = field(default_factory=dict)
    tensors: dict[str, None] = field(default_factory=dict)
    scratchpads: dict[str, None] = field(default_factory=dict)
    defines: dict[str, str | None] = field(default_factory=dict)
    sharded: bool = False
    further: list[int] = field(default_factory=lambda: [32, 1])  # further constants to try if 2 fails

    def add(self, space: str, name: str, *, constant: bool = False) -> bool:
        """Adds a name. Returns True if the name is new."""
        if space == "args":
            if constant and name not in self.constants:
                self.runtime.pop(name, None)
                self.constants[name] = GUESS
                return True
            if name in self.constants or name in self.runtime:
                return False
            self.runtime[name] = None
            return True
        names = {"dfb": self.buffers, "sem": self.semaphores, "tensor": self.tensors, "scratch": self.scratchpads}[
            space
        ]
        new = name not in names
        names[name] = None
        return new


def tree_of(path: Path) -> tuple[Path, bool]:
    """Returns the root of a tree, and True if its tensor layouts contain the page size.

    Raises InputError for other folders.
    """
    tree = find_tt_metal(path)
    return tree.root.resolve(), tree.page_bytes_in_layouts


def plain_kernels(root: Path) -> list[Path]:
    """Returns the plain data-movement kernels of a tree, in order."""
    found = []
    for suffix in ("*.cpp", "*.cc"):
        for path in root.rglob(suffix):
            if _PLACES_LEFT_OUT.search("/" + str(path.relative_to(root))):
                continue
            content = path.read_bytes()
            if _MAIN.search(content) and not _WORDS_LEFT_OUT.search(content):
                found.append(path)
    return sorted(found)


def first_guess(source: str) -> Guess:
    """Returns a guess from the names in the source."""
    guess = Guess()
    constant = set(_CONSTANT.findall(source))
    for space, name in _NAMED.findall(source):
        guess.add(space, name, constant=space == "args" and name in constant)
    for name in _NAMED_VALUE.findall(source):
        guess.constants[name] = GUESS
    return guess


def better_guess(guess: Guess, messages: str) -> bool:
    """Adds the names that the compiler reports as missing. Returns True if any is new."""
    new = False
    for name, space in _MISSING_MEMBER.findall(messages):
        new |= guess.add(space, name)
    for name in _NO_FUNCTION.findall(messages):
        new |= guess.defines.get(name) != "[](auto&&...) {}"
        guess.defines[name] = "[](auto&&...) {}"
    for name in _UNDECLARED.findall(messages):
        new |= name not in guess.defines
        guess.defines.setdefault(name, "1")
    if "shard_pages" in messages and not guess.sharded:
        guess.sharded = new = True
    if not new and "constant expression" in messages:
        for name in list(guess.runtime):
            new |= guess.add("args", name, constant=True)
    if not new and guess.constants and guess.further:
        guess.constants = dict.fromkeys(guess.constants, guess.further.pop(0))
        new = True
    return new


def request_of(path: Path, guess: Guess, architecture: str, root: Path, arguments: argparse.Namespace) -> KernelRequest:
    """Returns the request to compile a kernel with guessed inputs."""
    ids = dict(zip(guess.buffers, range(32), strict=False))
    return KernelRequest(
        source=path,
        architecture=architecture,
        riscv=0 if "write" in path.name else 1,
        noc=0 if "write" in path.name else 1,
        num_dram_banks=NUM_DRAM_BANKS[architecture],
        num_l1_banks=NUM_L1_BANKS[architecture],
        pcie_noc=PCIE_NOC,
        compile_time_args=(GUESS,) * NUM_COMPILE_TIME_ARGS,
        named_compile_time_args=guess.constants,
        runtime_arg_names=tuple(guess.runtime),
        buffers={id_: BufferFormat(TILE_BYTES, "Float16_b") for id_ in range(32)},
        buffer_names=ids,
        semaphore_names=dict(zip(guess.semaphores, range(16), strict=False)),
        tensors={
            name: TensorLayout(layout(arguments.page_bytes_in_layouts, sharded=guess.sharded), TILE_BYTES)
            for name in guess.tensors
        },
        page_bytes_in_layouts=arguments.page_bytes_in_layouts,
        scratchpads=dict.fromkeys(guess.scratchpads, TILE_BYTES),
        defines=guess.defines,
        include_directories=(root, root / "ttnn", root / "ttnn" / "cpp"),
        tt_metal=root if arguments.headers == "theirs" else None,
        compiler=arguments.cc,
    )


def layout(page_bytes: bool, *, sharded: bool) -> tuple[int, ...]:
    """Returns the words of the layout of a tensor."""
    of_page = (TILE_BYTES,) if page_bytes else ()
    return (3, *of_page, 2, 2, 4, 4, 2, 4, 1 << 24) if sharded else (GUESS, *of_page)


def compile_one(path: Path, architecture: str, root: Path, arguments: argparse.Namespace) -> str:
    """Returns the first error of a kernel; empty if the kernel compiles."""
    guess = first_guess(path.read_text(encoding="utf-8", errors="replace"))
    reason = ""
    for _ in range(ATTEMPTS):
        try:
            compile_kernel(request_of(path, guess, architecture, root, arguments))
        except KernelCompileError as error:
            reason = str(error).splitlines()[0]
            if not better_guess(guess, error.compiler_messages):
                return reason
        except InputError as error:
            return str(error).splitlines()[0]
        else:
            return ""
    return reason


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("root", type=Path, metavar="PATH", help="a checkout, or a wheel that was unpacked")
    parser.add_argument("--headers", choices=("ours", "theirs"), default="ours", help="which headers (default: ours)")
    parser.add_argument("--arch", action="append", choices=ARCHITECTURES, help="all if left out")
    parser.add_argument("--cc", type=Path, metavar="COMPILER")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th kernel")
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="N", help="the first one")
    parser.add_argument("--only", default="", metavar="TEXT", help="only kernels in whose path this stands")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT", help="the share that must compile")
    arguments = parser.parse_args()
    root, arguments.page_bytes_in_layouts = tree_of(arguments.root)
    kernels = [path for path in plain_kernels(root) if arguments.only in str(path)][arguments.first :: arguments.every]
    least = 100.0
    for architecture in arguments.arch or ARCHITECTURES:
        with ThreadPoolExecutor(arguments.jobs) as threads:
            reasons = list(
                threads.map(lambda path, arch=architecture: compile_one(path, arch, root, arguments), kernels)
            )
        failed = [(path, reason) for path, reason in zip(kernels, reasons, strict=True) if reason]
        share = 100 * (len(kernels) - len(failed)) / max(len(kernels), 1)
        least = min(least, share)
        print(f"{architecture}: {len(kernels) - len(failed)} of {len(kernels)} compile: {share:.1f} %", flush=True)
        groups = collections.defaultdict(list)
        for path, reason in failed:
            words = re.sub(r"^.*?:\d+: ", "", reason)
            groups[re.sub(r" \(\S+:\d+\)$", "", words)].append((path, reason))
        for words, those in sorted(groups.items(), key=lambda group: -len(group[1])):
            print(f"{len(those):5}  {words}")
            for path, reason in those[:3]:
                where = reason.removesuffix(words).strip(" :").replace(str(root), ".")
                print(f"           {path.relative_to(root)}\n               {where}")
    return 0 if least >= arguments.least else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NocbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
