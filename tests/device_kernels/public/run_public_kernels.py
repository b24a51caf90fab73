#!/usr/bin/env python3
"""Runs kernels of a tree of tt-metal (a checkout, or an unpacked `ttnn` wheel) in programs made for them.

Tried are small kernels that bring pages of one tensor into one buffer, or take them from there: their counterpart is
a kernel of our own (fill.cpp, drain.cpp), and what arrives must be what was sent. What the host program would give them
is worked out from the names in their sources.

With --linked each kernel runs a second time, linked as for the card (card_images.py), and must do the same.

Exit status: 0; 1 fewer than --least ran to their end with right data; 2 bad usage.

Example:
    .venv/bin/python tests/device_kernels/public/run_public_kernels.py /tmp/ttnn --headers theirs --least 40
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import warnings
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts" / "studies"))

from card_images import firmware_of, link_for_card, request_of  # noqa: E402 - beside this file
from compile_public_kernels import first_guess, plain_kernels, tree_of  # noqa: E402 - beside the other study

from nocbench import Program  # noqa: E402
from nocbench.programs.execution import Machine  # noqa: E402
from nocbench.support.errors import NocbenchError  # noqa: E402

LINES_MAX = 50
PAGES = 8
PAGE_BYTES = 2048
CYCLES_MAX = 3_000_000
# Pairs of pages in the buffer and pages per transfer. Some kernels work only with one of these pairs.
COUNTING = array("I", range(PAGES * PAGE_BYTES // 4)).tobytes()
VARIANTS = ((1, 8), (2, 8), (4, 8), (8, 8), (1, 1))
ROW_PAGES = 4
# Maximum duration of the start code of a kernel for the card, which clears and copies data, loads the counters of its
# NoC, and waits for the go signal. A kernel compiled from source has no start code.
START_CYCLES_MAX = 150

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_RUNTIME = re.compile(r"(\w+)\s*[={]\s*(?:\(?)get_arg_val<\w+>\((?:(\d+)|i\+\+)\)(?:\s*==\s*1)?")
_FETCHED = re.compile(r"(\w+)\s*=\s*\w+\.get_next_arg_val<\w+>\(\)")
_CONSTANT = re.compile(r"(\w+)\s*=\s*(?:\([^)]*\))?get_compile_time_arg_val\((\d+)\)")
_LAYOUT = re.compile(r"TensorAccessorArgs<(\d+)")
_BUFFER = re.compile(r"\b\w*(?:cb|dfb|src|dst|out)\w*\s*[={]\s*(?:tt::CBIndex::c_|CBIndex::c_)?(\d+)\s*[};]")
_READS = re.compile(r"reserve_back")
_WRITES = re.compile(r"wait_front")


@dataclass
class Trial:
    """Kernel with the arguments that its host program would set, by name; `count` and `rows` stand for numbers of
    pages.
    """

    path: Path
    reads: bool
    buffer: int = 0
    buffer_name: str = ""
    tensor_name: str = ""
    runtime: list[str] = field(default_factory=list)
    runtime_names: list[str] = field(default_factory=list)
    constants: dict[str, str] = field(default_factory=dict)
    compile_time: list[str] = field(default_factory=list)


def meaning(name: str, has_rows: bool) -> str:
    """Returns the value that a host program would set for the argument `name`."""
    name = name.lower()
    if "addr" in name:
        return "address"
    if name in ("wt", "w_t"):
        return "row"
    if "dram" in name:
        return "1"
    if re.search(r"start|offset|ofs", name):
        return "0"
    if "size" in name or "bytes" in name:
        return "bytes"
    if "end" in name:
        return "count"
    if re.search(r"^(num|n$|total)|per_core|sticks|units|tiles", name):
        return "rows" if has_rows else "count"
    if "cb" in name or "dfb" in name:
        return "buffer"
    return "2" if "blk" in name else "1"


def trial_of(path: Path) -> Trial | None:
    """Returns the trial of a kernel; None for kernels of unsupported kinds."""
    source = _COMMENT.sub("", path.read_text(encoding="utf-8", errors="replace"))
    if "sharded" in path.name:  # the tensor is the buffer itself
        return None
    if len([line for line in source.splitlines() if line.strip()]) > LINES_MAX:
        return None
    reads, writes = bool(_READS.search(source)), bool(_WRITES.search(source))
    if reads == writes:
        return None
    guess = first_guess(source)
    if len(guess.tensors) > 1 or len(guess.buffers) > 1 or guess.semaphores or guess.scratchpads:
        return None
    trial = Trial(path, reads)
    has_rows = bool(re.search(r"\bWt\b", source))
    trial.tensor_name = next(iter(guess.tensors), "")
    trial.buffer_name = next(iter(guess.buffers), "")
    trial.runtime_names = list(guess.runtime)
    trial.runtime = [meaning(name, has_rows) for name in guess.runtime]
    trial.constants = {name: meaning(name, has_rows) for name in guess.constants}
    at: dict[int, str] = {}
    for index, (name, number) in enumerate(_RUNTIME.findall(source)):
        at[int(number) if number else index] = meaning(name, has_rows)
    if not at:
        at = {index: meaning(name, has_rows) for index, name in enumerate(_FETCHED.findall(source))}
    trial.runtime += [at.get(index, "0") for index in range(max(at, default=-1) + 1)]
    constants = {int(number): meaning(name, has_rows) for name, number in _CONSTANT.findall(source)}
    constants |= {int(number): "layout" for number in _LAYOUT.findall(source)}
    trial.compile_time = [constants.get(index, "1") for index in range(max(constants, default=-1) + 1)]
    numbers = _BUFFER.findall(source)
    if not trial.buffer_name and "buffer" not in (*trial.compile_time, *trial.constants.values()):
        if not numbers:
            return None
        trial.buffer = int(numbers[0])
    return trial


def program_of(
    trial: Trial, root: Path, arguments: argparse.Namespace, buffer_pages: int, count: int, image: Path | None = None
) -> Program:
    """Returns a program of the kernel, from its source or from an image, and its counterpart."""
    theirs = arguments.headers == "theirs"  # the counterpart must keep its page counts where the image does
    program = Program(
        arguments.arch,
        board=arguments.board,
        name=trial.path.stem,
        include_directories=(root, root / "ttnn", root / "ttnn" / "cpp"),
        defines={"NOCBENCH_TRIED_API": '"api/dataflow/dataflow_api.h"'},
        tt_metal=root if theirs else None,
        page_bytes_in_layouts=arguments.page_bytes_in_layouts,
    )
    own, other = trial.tensor_name or "its_tensor", "other_tensor"
    sent, arrived = (own, other) if trial.reads else (other, own)
    program.tensor(sent, pages=PAGES, page_bytes=PAGE_BYTES, initial=COUNTING)
    program.tensor(arrived, pages=PAGES, page_bytes=PAGE_BYTES)
    program.buffer(
        trial.buffer, pages=buffer_pages, page_bytes=PAGE_BYTES, data_format="Float16_b", name=trial.buffer_name
    )
    values: dict[str, int | str] = {
        "address": f"address {own}",
        "layout": f"layout {own}",
        "buffer": trial.buffer,
        "bytes": PAGE_BYTES,
        "count": count,
        "rows": max(count // ROW_PAGES, 1),
        "row": min(count, ROW_PAGES),
    }

    def words(meanings: list[str]) -> list[int | str]:
        return [values[what] if what in values else int(what) for what in meanings]

    program.kernel(
        "" if image else trial.path,
        elf=image or "",
        riscv=1 if trial.reads else 0,
        name="tried",
        compile_time_args=() if image else words(trial.compile_time),
        named_compile_time_args={}
        if image
        else dict(zip(trial.constants, words(list(trial.constants.values())), strict=True)),
        runtime_args=words(trial.runtime),
        runtime_arg_names=trial.runtime_names,
        tensors=[own] if trial.tensor_name else [],
    )
    program.kernel(
        Path(__file__).parent / ("drain.cpp" if trial.reads else "fill.cpp"),
        riscv=0 if trial.reads else 1,
        name="counterpart",
        compile_time_args=[f"layout {other}"],
        runtime_args=[1, trial.buffer, PAGE_BYTES, f"address {other}", count],
    )
    program.expect(arrived, COUNTING[: count * PAGE_BYTES], size=count * PAGE_BYTES)
    return program


def run(program: Program) -> tuple[str, int]:
    """Returns the fault, empty if all data arrived, and the cycles of the tried kernel."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = program.run(cycles_max=CYCLES_MAX)
    except NocbenchError as error:
        return str(error).splitlines()[0], 0
    frame = result.frame
    return result.fault, int(frame[frame["kernel"] == "tried"]["latency_cycles"].iloc[0])


def compare_linked(
    trial: Trial, root: Path, arguments: argparse.Namespace, variant: tuple[int, int], cycles: int
) -> str:
    """Links a kernel that ran correctly from its source, and runs the image. Returns the difference, if any."""
    try:
        description = program_of(trial, root, arguments, *variant).description()
        request = request_of(description, "tried", Machine(arguments.arch, arguments.board))
        with tempfile.TemporaryDirectory() as place:
            image = link_for_card(request, root, firmware_of(root, request, Path(place)), Path(place))
            fault, linked = run(program_of(trial, root, arguments, *variant, image))
    except NocbenchError as error:
        return f"linked: {str(error).splitlines()[0]}"
    arguments.table.append((trial.path.relative_to(root), request.riscv, cycles, linked, not fault))
    if not fault and abs(linked - cycles) > START_CYCLES_MAX:
        return f"linked: expected about {cycles} cycles, as from its source, found {linked}"
    return f"linked: {fault}" if fault else ""


def try_out(trial: Trial, root: Path, arguments: argparse.Namespace) -> str:
    """Returns the first fault of the variant that ran furthest; empty if any variant is right."""
    reasons = []
    for variant in VARIANTS:
        reason, cycles = run(program_of(trial, root, arguments, *variant))
        if not reason:
            return compare_linked(trial, root, arguments, variant, cycles) if arguments.linked else ""
        reasons.append(reason)
        if re.search(r"\.(cpp|hpp|h|inl):\d+", reason) and "deadlock" not in reason:  # compile error
            break
    return reasons[0]


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("root", type=Path, metavar="PATH", help="a checkout, or a wheel that was unpacked")
    parser.add_argument(
        "--headers", choices=("ours", "theirs"), default="theirs", help="which headers (default: theirs)"
    )
    parser.add_argument("--arch", choices=("wormhole_b0", "blackhole"), default="wormhole_b0")
    parser.add_argument("--board", default="", help="board (default: that of the architecture)")
    parser.add_argument("--linked", action="store_true", help="link kernels as for the card, too, and compare")
    parser.add_argument("--only", default="", metavar="TEXT", help="only kernels in whose path this stands")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=0, metavar="N", help="stop when so many were right")
    parser.add_argument("--least", type=int, default=0, metavar="N", help="how many must be right")
    arguments = parser.parse_args()
    arguments.table = []
    root, arguments.page_bytes_in_layouts = tree_of(arguments.root)
    trials = [trial_of(path) for path in plain_kernels(root) if arguments.only in str(path)]
    right, wrong = 0, 0
    with ThreadPoolExecutor(arguments.jobs) as threads:
        tried = [trial for trial in trials if trial is not None]
        for trial, reason in zip(tried, threads.map(lambda one: try_out(one, root, arguments), tried), strict=True):
            right += not reason
            wrong += bool(reason)
            print(f"{'WRONG' if reason else 'right'}  {trial.path.relative_to(root)}", flush=True)
            if reason:
                print(f"           {reason}", flush=True)
            if arguments.most and right >= arguments.most:
                threads.shutdown(wait=False, cancel_futures=True)
                break
    for path, riscv, cycles, linked, is_right in sorted(arguments.table):
        print(f"riscv_{riscv}  {cycles:>7} cycles  linked {linked:>7}  {'right' if is_right else 'WRONG'}  {path}")
    print(f"{arguments.arch}, {arguments.headers} headers: {right} right, {wrong} not", flush=True)
    return 0 if right >= arguments.least else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NocbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
