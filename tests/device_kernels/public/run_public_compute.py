#!/usr/bin/env python3
"""Runs compute kernels of a tree of tt-metal in programs made for them, and compares their results.

Drawn are kernels that stay within the compute API. A reader of our own (fill.cpp) fills a kernel's buffers, a writer
(drain.cpp) empties them. Arguments and expected values are those of the kernel's trial (compute_trials/).

Exit status: 0; 1 fewer than --least percent gave the right values; 2 bad usage.

Example:
    .venv/bin/python tests/device_kernels/public/run_public_compute.py /tmp/ttnn --seed 55 --number 40 --least 80
"""

from __future__ import annotations

import argparse
import importlib
import random
import re
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "scripts" / "studies")]

from compile_public_kernels import tree_of  # noqa: E402 - a study
from compute_trial import TRIALS, ComputeTrial  # noqa: E402 - beside this file

from nocbench import Program  # noqa: E402
from nocbench.support.errors import NocbenchError  # noqa: E402

CYCLES_MAX = 20_000_000
COUNTERPARTS = {"fill.cpp": 1, "drain.cpp": 0}

_PLACES_LEFT_OUT = re.compile(r"quasar|test|third_party|tt-llk")
_BELOW = re.compile(
    rb"\bllk_|\b(?:MATH|UNPACK|PACK)\(\(|\bsfpi\b|\bvFloat|ckernel_sfpu|_sfpu_params|\bTTI?_[A-Z]|tensix::|cfg_reg"
    rb"|tt_llk|fabric|/ccl/"
)
_MAIN = re.compile(rb"\bMAIN\b|\bkernel_main\b")


def compute_kernels(root: Path) -> list[Path]:
    """Returns the compute kernels of a tree that stay within the compute API, in order."""
    found = []
    for path in sorted(root.rglob("*.cpp")):
        place = str(path.relative_to(root))
        if "/compute" in place and not _PLACES_LEFT_OUT.search(place):
            content = path.read_bytes()
            if _MAIN.search(content) and not _BELOW.search(content):
                found.append(path)
    return found


def name_of(path: Path, root: Path) -> str:
    """Returns the path of a kernel below ttnn/cpp/ttnn."""
    return str(path.relative_to(root)).rpartition("cpp/ttnn/")[2]


def program_of(trial: ComputeTrial, path: Path, root: Path, arguments: argparse.Namespace) -> Program:
    """Returns the program of a trial."""
    program = Program(
        arguments.arch,
        name=path.stem,
        include_directories=(root, root / "ttnn", root / "ttnn" / "cpp"),
        defines={"NOCBENCH_TRIED_API": '"api/dataflow/dataflow_api.h"'},
        page_bytes_in_layouts=arguments.page_bytes_in_layouts,
    )
    shared = {pages.memory: pages for pages in trial.room.values() if pages.memory}
    for name, pages in shared.items():
        count = pages.capacity or pages.count
        program.tensor(name, pages=count, page_bytes=pages.page_bytes, memory="l1", shards=count, shard_cores=[(0, 0)])
    for buffer, pages in {**trial.room, **trial.inputs, **trial.outputs}.items():
        program.buffer(
            buffer,
            pages=pages.capacity or pages.count,
            page_bytes=pages.page_bytes,
            data_format=pages.data_format,
            tile_rows=pages.tile_rows,
            name=pages.name,
            tensor=pages.memory,
            initial=pages.encoded(pages.values) if buffer in trial.room and pages.values is not None else None,
        )
    for (file, riscv), moved in zip(COUNTERPARTS.items(), (trial.inputs, trial.outputs), strict=True):
        if not moved:
            continue
        words: list[int | str] = [len(moved)]
        for buffer, pages in moved.items():
            name = f"{'input' if riscv else 'output'}{buffer}"
            initial = pages.encoded(pages.values) if riscv and pages.values is not None else None
            program.tensor(name, pages=pages.count, page_bytes=pages.page_bytes, initial=initial)
            words += [buffer, pages.page_bytes, f"address {name}", pages.count]
        if moved:
            layout = f"layout {words[3]}".replace("address ", "")
            program.kernel(HERE / file, riscv=riscv, compile_time_args=[layout], runtime_args=words)
    program.kernel(
        HERE / trial.around if trial.around else path,
        riscv="compute",
        name="tried",
        compute=trial.options,
        compile_time_args=trial.constants,
        named_compile_time_args=trial.named_constants,
        runtime_args=trial.runtime,
        runtime_arg_names=trial.runtime_names,
        defines={**trial.defines, "NOCBENCH_TRIED_KERNEL": f'"{path}"'},
    )
    return program


def try_out(path: Path, root: Path, arguments: argparse.Namespace) -> str:
    """Returns what is wrong with a kernel's results; empty if nothing is."""
    make = TRIALS.get(name_of(path, root))
    if make is None:
        return "has no trial"
    trial = make()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = program_of(trial, path, root, arguments).run(cycles_max=CYCLES_MAX)
    except NocbenchError as error:
        return str(error).splitlines()[0]
    if result.fault:
        return result.fault
    found = {buffer: result.memory(f"output{buffer}", dtype="uint8").tobytes() for buffer in trial.outputs}
    return "; ".join(filter(None, (trial.difference(buffer, data) for buffer, data in found.items())))


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("root", type=Path, metavar="PATH", help="a checkout, or a wheel that was unpacked")
    parser.add_argument("--arch", choices=("wormhole_b0", "blackhole"), default="wormhole_b0")
    parser.add_argument("--seed", type=int, default=55, help="of the draw (default: 55)")
    parser.add_argument("--number", type=int, default=0, metavar="N", help="draw so many (default: all with a trial)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only kernels in whose path this stands")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT", help="the share that must be right")
    arguments = parser.parse_args()
    for module in sorted((HERE / "compute_trials").glob("[a-z]*.py")):
        importlib.import_module(f"compute_trials.{module.stem}")
    root, arguments.page_bytes_in_layouts = tree_of(arguments.root)
    kernels = compute_kernels(root)
    if arguments.number:
        random.Random(arguments.seed).shuffle(kernels)
        kernels = kernels[: arguments.number]
    else:
        kernels = [path for path in kernels if name_of(path, root) in TRIALS]
    kernels = [path for path in kernels if arguments.only in str(path)]
    right = 0
    with ThreadPoolExecutor(arguments.jobs) as threads:
        reasons = threads.map(lambda path: try_out(path, root, arguments), kernels)
        for path, reason in zip(kernels, reasons, strict=True):
            right += not reason
            print(f"{'WRONG' if reason else 'right'}  {name_of(path, root)}", flush=True)
            if reason:
                print(f"           {reason}", flush=True)
    share = 100 * right / max(len(kernels), 1)
    print(f"{arguments.arch}: {right} of {len(kernels)} right: {share:.1f} %", flush=True)
    return 0 if share >= arguments.least else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NocbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
