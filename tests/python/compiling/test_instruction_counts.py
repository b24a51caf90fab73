"""Costs of calls follow from their numbers of instructions, which the headers guarantee.

The numbers are those of the device's own headers of 2025, compiled by the same compiler. Including six cycles of stall
at the poll of the command buffer, they equal the costs of silicon: 22 and 24 cycles per write, 20 per stateful write of
any length.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.images import read_sections

if TYPE_CHECKING:
    from device_programs import MakeRequest

BRANCH = 0x63
JUMP = 0x6F  # JAL with link register x0
KERNEL = """
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/core_local_mem.h"
#include "api/tensor/noc_traits.h"
void kernel_main() {{
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t x = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    const uint32_t count = get_arg_val<uint32_t>(4);
    [[maybe_unused]] const uint32_t size = get_arg_val<uint32_t>(5);
    [[maybe_unused]] const uint64_t tile = get_noc_addr(x, y, target);
    [[maybe_unused]] const uint64_t rectangle = get_noc_multicast_addr(x, y, source, target, target);
    [[maybe_unused]] Noc noc;
    [[maybe_unused]] UnicastEndpoint endpoint;
    [[maybe_unused]] CoreLocalMem<uint32_t> memory(source);
    {before}
    for (uint32_t i = 0; i < count; ++i) {{
        {call}
    }}
}}
"""
# Calls with the number of instructions of their loop (including a step and a branch) on Wormhole and Blackhole.
CALLS = {
    "write": ("noc_async_write(source, tile, 64);", 16, 18),
    "write of one packet": ("noc_async_write_one_packet(source, tile, 64);", 16, 18),
    "posted write": ("noc_async_write_one_packet<true, true>(source, tile, 64);", 13, 15),
    "read": ("noc_async_read(tile, source, 64);", 12, 13),
    "read of one packet": ("noc_async_read_one_packet(tile, source, 64);", 12, 13),
    "write with state, one packet": ("noc_async_write_one_packet_with_state(source, target);", 13, 13),
    "write with state": ("noc_async_write_with_state(source, target, 64);", 14, 14),
    "read with state, one packet": ("noc_async_read_one_packet_with_state(target, source);", 10, 10),
    "read with state": ("noc_async_read_with_state(target, source, 64);", 11, 11),
    "state of writes": ("noc_async_write_one_packet_set_state(tile, 64);", 7, 8),
    "state of reads": ("noc_async_read_one_packet_set_state(tile, 64);", 6, 7),
    "multicast": ("noc_async_write_multicast(source, rectangle, 64, 4, true);", 16, 18),
    "multicast with source": ("noc_async_write_multicast_loopback_src(source, rectangle, 64, 4);", 16, 18),
    "semaphore increment": ("noc_semaphore_inc(tile, 1);", 13, 14),
    "semaphore to one tile": ("noc_semaphore_set_remote(source, tile);", 16, 18),
    "semaphore multicast": ("noc_semaphore_set_multicast(source, rectangle, 4);", 16, 18),
    "read barrier": ("noc_async_read_barrier();", 4, 6),
    "write barrier": ("noc_async_write_barrier();", 4, 6),
    "flush of writes": ("noc_async_writes_flushed();", 4, 6),
    "object write": ("noc.async_write(memory, endpoint, 64, {}, {.noc_x = x, .noc_y = y, .addr = target});", 16, 18),
    "object read": ("noc.async_read(endpoint, memory, 64, {.noc_x = x, .noc_y = y, .addr = target}, {});", 12, 13),
}


def longest_loop(elf: bytes) -> int:
    """Counts the instructions of the longest loop: from the target of a backward jump to the jump."""
    longest = 0
    for section in read_sections(elf):
        if section.is_code:
            for (word,) in struct.iter_unpack("<I", section.content):
                if word >> 31 == 0:  # a forward jump, or no jump
                    continue
                if word & 0x7F == BRANCH:
                    back = 0x1000 - ((word >> 7 & 0x1E) | (word >> 20 & 0x7E0) | (word << 4 & 0x800))
                    longest = max(longest, back // 4 + 1)
                elif word & 0xFFF == JUMP:
                    back = 0x100000 - ((word >> 20 & 0x7FE) | (word >> 9 & 0x800) | (word & 0xFF000))
                    longest = max(longest, back // 4 + 1)
    return longest


@pytest.mark.parametrize("name", CALLS)
def test_instructions_of_a_call(name: str, make_request: MakeRequest) -> None:
    call, wormhole, blackhole = CALLS[name]
    for architecture, expected in (("wormhole_b0", wormhole), ("blackhole", blackhole)):
        kernel = compile_kernel(make_request(KERNEL.format(before="", call=call), architecture=architecture))
        assert longest_loop(kernel.elf) == expected, architecture


def test_an_inline_word_has_no_source(make_request: MakeRequest) -> None:
    kernel = compile_kernel(make_request(KERNEL.format(before="", call="noc_inline_dw_write(tile, 1);")))
    assert longest_loop(kernel.elf) == 16


@pytest.mark.parametrize(("call", "wormhole", "blackhole"), [("read", 31, 22), ("write", 35, 27)])
def test_interleaved_pages(call: str, wormhole: int, blackhole: int, make_request: MakeRequest) -> None:
    """Excludes the processor's divisions."""
    accessor = "const auto pages = TensorAccessor(TensorAccessorArgs<0>(), target, 4096);"
    text = KERNEL.format(before=accessor, call=f"noc_async_{call}_page(i, pages, source);")
    for architecture, expected in (("wormhole_b0", wormhole), ("blackhole", blackhole)):
        kernel = compile_kernel(make_request(text, architecture=architecture, compile_time_args=(2,)))
        assert longest_loop(kernel.elf) <= expected, architecture


@pytest.mark.parametrize("generator", ["InterleavedAddrGen", "InterleavedPow2AddrGenFast", "InterleavedAddrGenFast"])
@pytest.mark.parametrize(("call", "wormhole", "blackhole"), [("read", 30, 21), ("write", 34, 25)])
def test_pages_of_banks(generator: str, call: str, wormhole: int, blackhole: int, make_request: MakeRequest) -> None:
    """A bank's address takes two words. Including six cycles of stall, a call takes 27 or 31 cycles on Blackhole."""
    rest = {
        "InterleavedAddrGen": ".page_size = 64",
        "InterleavedPow2AddrGenFast": ".log_base_2_of_page_size = 6",
        "InterleavedAddrGenFast": ".page_size = 2048, .data_format = DataFormat::Float16_b",
    }[generator]
    before = f"const {generator}<true> pages{{.bank_base_address = 0x100000, {rest}}};"
    text = KERNEL.format(before=before, call=f"noc_async_{call}_page(i, pages, source);")
    for architecture, expected in (("wormhole_b0", wormhole), ("blackhole", blackhole)):
        kernel = compile_kernel(make_request(text, architecture=architecture))
        assert longest_loop(kernel.elf) == expected, architecture


def test_a_length_that_is_no_constant_costs_more(make_request: MakeRequest) -> None:
    constant = compile_kernel(make_request(KERNEL.format(before="", call="noc_async_write(source, tile, 64);")))
    variable = compile_kernel(make_request(KERNEL.format(before="", call="noc_async_write(source, tile, size);")))
    assert longest_loop(variable.elf) > longest_loop(constant.elf)


def test_less_optimisation_costs_more(make_request: MakeRequest) -> None:
    text = KERNEL.format(before="", call="noc_async_write(source, tile, 64);")
    assert longest_loop(compile_kernel(make_request(text, optimisation="-Os")).elf) > 16
