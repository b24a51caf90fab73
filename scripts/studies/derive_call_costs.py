#!/usr/bin/env python3
"""Derives what calls of the dataflow API cost, from the instructions that they are compiled to.

Each call is compiled into a loop against the headers of kernels/device and run on the modeled RISC. What a round takes
follows from the documented timing of instructions (section `riscv` of the architecture files) alone. Beside it stands
what was measured on silicon, and the constant that native kernels use, if there is one.

Exit status: 0; 1 with --check: a constant whose status is `derived` is not the derived one; 2 bad usage.

Example:
    .venv/bin/python scripts/studies/derive_call_costs.py --check
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nocbench.points.constants import read_constants
from nocbench.programs.builder import Program
from nocbench.support.errors import NocbenchError

ARCHITECTURES = ("wormhole_b0", "blackhole")
FEW, MANY = 40, 140


@dataclass(frozen=True)
class Call:
    """A call whose cost is derived.

    Attributes:
        name: name in words.
        body: code of a round; `before` runs once before all rounds, `after` once after them.
        silicon: cycles measured on Wormhole and on Blackhole, or None.
        field: field of the call in architecture files, for native kernels.
    """

    name: str
    body: str
    before: str = ""
    after: str = ""
    silicon: tuple[float | None, float | None] = (None, None)
    field: str = ""


_ADDRESSES = "const InterleavedAddrGen<true> pages{.bank_base_address = 0x100000, .page_size = 64};"
CALLS = (
    Call("write", "noc_async_write(0x40000, target, 64);", silicon=(22, 24), field="risc.write_call_cycles"),
    Call("write, length not known to the compiler", "noc_async_write(0x40000, target, size);"),
    Call(
        "write to coordinates that are loaded from L1",
        "noc_async_write(0x40000, get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), 0x50000), 64);",
        silicon=(None, 42.2),
    ),
    Call("read", "noc_async_read(target, 0x40000, 64);", silicon=(19, None), field="risc.read_call_cycles"),
    Call("read, length not known to the compiler", "noc_async_read(target, 0x40000, size);"),
    Call(
        "stateful write",
        "noc_async_write_with_state(0x40000, 0x50000, 64);",
        before="noc_async_write_set_state(target);",
        silicon=(20, 20),
        field="risc.stateful_write_call_cycles",
    ),
    Call(
        "stateful write of one packet",
        "noc_async_write_one_packet_with_state(0x40000, 0x50000);",
        before="noc_async_write_one_packet_set_state(target, 64);",
    ),
    Call(
        "stateful read",
        "noc_async_read_with_state(0x50000, 0x40000, 64);",
        before="noc_async_read_set_state(target);",
        silicon=(17.3, None),
        field="risc.stateful_read_call_cycles",
    ),
    Call(
        "linked multicast",
        "noc_async_write_multicast(0x40000, targets, 64, 4, true);",
        after="noc_async_write_multicast(0x40000, targets, 64, 4, false);",
        silicon=(22, 24),
    ),
    Call(
        "write to a page of an interleaved buffer",
        "noc_async_write_page(i, pages, 0x40000);",
        before=_ADDRESSES,
        silicon=(39, 31),
    ),
    Call(
        "read of a page of an interleaved buffer",
        "noc_async_read_page(i, pages, 0x40000);",
        before=_ADDRESSES,
        silicon=(36, 27.6),
    ),
    Call("setting up stateful writes", "noc_async_write_one_packet_set_state(target, 64);"),
    Call("setting up stateful reads", "noc_async_read_one_packet_set_state(target, 64);"),
    Call("semaphore increment", "noc_semaphore_inc(target, 1);", field="risc.semaphore_call_cycles"),
    Call("write of a semaphore", "noc_semaphore_set_remote(0x40000, target);"),
    Call("barrier with nothing to wait for", "noc_async_read_barrier();"),
    Call("store to L1", "*word = i;", before="auto* word = reinterpret_cast<volatile uint32_t*>(0x40000);"),
    Call(
        "load from L1, used at once",
        "sum += *word;",
        before="auto* word = reinterpret_cast<volatile uint32_t*>(0x40000); uint32_t sum = 0;",
        after="*word = sum;",
    ),
)

KERNEL = """\
#include "dataflow_api.h"

void kernel_main() {{
    const uint32_t x = get_arg_val<uint32_t>(0);
    const uint32_t y = get_arg_val<uint32_t>(1);
    [[maybe_unused]] const uint32_t size = get_arg_val<uint32_t>(2);
    [[maybe_unused]] const uint64_t target = get_noc_addr(x, y, 0x50000);
    [[maybe_unused]] const uint64_t targets = get_noc_multicast_addr(x, y, x + 1, y + 1, 0x50000);
    {before}
    {{
        DeviceZoneScopedN("calls");
        for (uint32_t i = 0; i < get_compile_time_arg_val(0); ++i) {{
            {body}
        }}
    }}
    {after}
    noc_async_full_barrier();
}}
"""


def cycles(arch: str, rounds: int, source: Path) -> float:
    """Returns the cycles that a number of rounds takes."""
    # The measured board of Blackhole has eight banks. With this setting, only instructions limit reads.
    program = Program(
        arch,
        board="p150" if arch == "blackhole" else "",
        settings={"niu.same_responder_read_interval_cycles": "1, 1"},
    )
    program.kernel(
        source, cores=[(0, 0)], compile_time_args=[rounds], runtime_args=["x 1 1", "y 1 1", 64], timed="calls"
    )
    return float(program.run().frame["latency_cycles"].iloc[0])


def derived(call: Call, arch: str) -> float:
    """Returns the cost of a call in a loop to a tenth of a cycle, as the first rounds vary with the compiler."""
    with tempfile.TemporaryDirectory(prefix="nocbench-calls-") as place:
        source = Path(place) / "calls.cpp"
        source.write_text(KERNEL.format(before=call.before, body=call.body, after=call.after), encoding="utf-8")
        return round((cycles(arch, MANY, source) - cycles(arch, FEW, source)) / (MANY - FEW), 1)


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--check", action="store_true", help="compare derived constants with those derived now")
    arguments = parser.parse_args()
    constants = {arch: {one.path: one for one in read_constants(arch)} for arch in ARCHITECTURES}
    print(f"{'cycles per call':44}{'Wormhole':>9}{'silicon':>9}{'Blackhole':>11}{'silicon':>9}")
    different = 0
    for call in CALLS:
        line = f"{call.name:44}"
        for arch, silicon in zip(ARCHITECTURES, call.silicon, strict=True):
            value = derived(call, arch)
            line += f"{value:9.2f}{'-' if silicon is None else silicon:>9}  "
            if arguments.check and call.field:
                constant = constants[arch][call.field]
                if constant.status == "derived" and float(constant.value) != value:
                    print(f"{arch}: {call.field} is {constant.value}, but {value} is derived", file=sys.stderr)
                    different += 1
        print(line.rstrip(), flush=True)
    return 1 if different else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NocbenchError as error:
        print(f"derive_call_costs: {error}", file=sys.stderr)
        sys.exit(2)
