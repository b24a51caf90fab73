"""Illegal operations of kernels are reported with core, RISC and source line."""

from __future__ import annotations

import re

import numpy
import pytest

import nocbench
from nocbench.checks.findings import findings_of
from nocbench.compiling.request import ARCHITECTURES
from nocbench.programs.execution import Machine, Watch, run_program

HEAD = '#include "dataflow_api.h"\n#include "debug/assert.h"\n'
POINTER = "*reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)) = 1;"
TARGET = "get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(0))"
PLACE = ("address data", "x 1 1", "y 1 1")
WRITE = f"noc_async_write(get_arg_val<uint32_t>(0), {TARGET}, 8192);"
POSTED = (
    f"noc_async_write_one_packet_set_state<true>({TARGET}, 8192);"
    " noc_async_write_one_packet_with_state<true>(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(0));"
)
READ = f"noc_async_read({TARGET}, get_arg_val<uint32_t>(0), 64);"
BUSY = (
    f"for (int i = 0; i < 8; ++i) {{ noc_async_write(get_arg_val<uint32_t>(0), {TARGET}, 8192);"
    " NOC_CMD_BUF_WRITE_REG(noc_index, write_cmd_buf, NOC_AT_LEN_BE, 64); }"
)
BEYOND = (
    "noc_async_read(get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), 0x17FFF0), "
    "get_arg_val<uint32_t>(0), 8192); noc_async_read_barrier();"
)
BROKEN = [
    ("buffer that nobody fills", "cb_wait_front(0, 1);", (), r"deadlock: .*riscv_0 waits since cycle \d+ in a loop at"),
    (
        "buffer that is full",
        "cb_push_back(0, 1); cb_reserve_back(0, 1);",
        (),
        r"deadlock: .*in cb_reserve_back.*:4 in kernel_main",
    ),
    (
        "semaphore that nobody signals",
        "noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0)), 1);",
        (),
        r"deadlock: .*noc_semaphore_wait.*:4 in kernel_main, which polls semaphore 0 \(it is 0\)",
    ),
    ("read that nobody sent", "noc_reads_num_issued[0] += 1; noc_async_read_barrier();", (), "deadlock: "),
    ("endless loop", 'for (;;) { asm volatile("nop"); }', (), r":4 in kernel_main: a loop that never ends"),
    (
        "endless loop in its own memory",
        "volatile uint32_t i = 0; for (;;) { i = i + 1; }",
        (),
        r"the program still runs after 1000000 cycles, the limit .*\n.* has not finished; it is at .*:4 in kernel_main",
    ),
    ("null pointer", POINTER, (0,), r":4 in kernel_main: store at 0x0: a null pointer"),
    (
        "misaligned",
        POINTER,
        ("address data + 2",),
        r":4 in kernel_main: store of 4 bytes at 0x\w+: expected a multiple",
    ),
    ("unmapped", POINTER, (0x90000000,), r":4 in kernel_main: store of 4 bytes at 0x90000000: nothing is there"),
    ("beyond L1", POINTER, (0x200000,), r"store of 4 bytes at 0x200000: nothing is there; there are .*L1 0x0 to"),
    ("its own code", POINTER, (0x1000,), r"store of 4 bytes at 0x1000: it would change the program's own code"),
    ("busy command buffer", BUSY, PLACE, r":4 in kernel_main: command buffer 0 of NoC 0 still holds a command"),
    ("nobody there", "noc_async_write(get_arg_val<uint32_t>(0), get_noc_addr(60, 60, 0x10000), 64);", PLACE, r"60"),
    ("beyond the end of L1 there", BEYOND, PLACE, r":4 in kernel_main: "),
    ("assertion", "ASSERT(get_arg_val<uint32_t>(0) == 4);", (3,), r"assertion failed: get_arg_val<uint32_t>\(0\) == 4"),
    ("no instruction", 'asm volatile(".word 0xffffffff");', (), "illegal instruction 0xffffffff"),
    ("jump", "reinterpret_cast<void (*)()>(get_arg_val<uint32_t>(0))();", PLACE, "jump to 0x.*: there is no code"),
    ("undeclared", "noc_async_wite(1, 2, 3);", (), r":4: 'noc_async_wite' was not declared.*'noc_async_write'\?"),
    (
        "compile-time argument",
        "constexpr uint32_t a = get_compile_time_arg_val(3); cb_wait_front(a, 1);",
        (),
        r":4: the kernel asks for a compile-time argument that the program does not give",
    ),
    (
        "data that do not fit",
        "static volatile uint32_t table[4000] = {1}; table[get_arg_val<uint32_t>(0)] = 1;",
        (3,),
        r"\.cpp: data in private memory",
    ),
]


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize(("body", "arguments", "complaint"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_complaint(arch: str, body: str, arguments: tuple[int | str, ...], complaint: str) -> None:
    program = nocbench.Program(arch)
    program.region("data", 16384)
    program.buffer(0, pages=1, page_bytes=64)
    program.semaphore()
    program.kernel(f"{HEAD}void kernel_main() {{\n    {body}\n}}\n", name="broken", runtime_args=arguments)
    with pytest.raises(nocbench.InputError) as caught:
        program.run(cycles_max=1_000_000)
    text = str(caught.value)
    assert re.search(complaint, text, re.DOTALL), text
    assert "broken" in text or ".cpp" in text


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_end_without_a_barrier_names_the_first_call_that_is_not_answered(arch: str) -> None:
    program = nocbench.Program(arch)
    program.region("data", 16384)
    program.kernel(
        f"""{HEAD}
void kernel_main() {{
    const uint64_t target = {TARGET};
    const uint32_t own = get_arg_val<uint32_t>(0);
    noc_async_write(own, target, 64);
    noc_async_write_barrier();
    noc_async_read(target, own, 64, 1);
    noc_async_write(own, target, 64);
    noc_async_write(own, target + 64, 64);
    noc_async_read_barrier(1);
}}
""",
        name="broken",
        runtime_args=PLACE,
    )
    # The message names the line of the second write; the read on the other NoC was waited for.
    (warning,) = program.run().warnings
    assert re.search(
        r"'broken' on core \(0, 0\): .*inlined at .*:10 in kernel_main.*: it ends with writes that are not "
        r"acknowledged on NoC 0, of which this is the first: expected noc_async_write_barrier\(\) before the end",
        warning,
    )


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_ends_before_acknowledgements_are_warned_of(arch: str) -> None:
    program = nocbench.Program(arch)
    program.region("data", 16384)
    program.kernel(
        f"""{HEAD}
void kernel_main() {{
    const uint64_t target = {TARGET};
    const uint32_t own = get_arg_val<uint32_t>(0);
    *reinterpret_cast<volatile uint32_t*>(own) = 77;
    noc_async_write(own, target + 64, 64);
    noc_semaphore_inc(target + 128, 5);
    noc_async_writes_flushed();
}}
""",
        name="hasty",
        cores=[(0, 0), (0, 1)],
        runtime_args=PLACE,
    )
    # The run goes on until the data are in place.
    program.expect("data", numpy.array([77], numpy.uint32).tobytes(), core=(1, 1), offset_bytes=64, size=4)
    program.expect("data", numpy.array([10], numpy.uint32).tobytes(), core=(1, 1), offset_bytes=128, size=4)
    result = program.run()
    assert result.data_ok, result.fault
    text = "\n".join(result.warnings)
    assert re.search(r"kernel 'hasty' on core \(0, 0\) and 1 more: .*:8 in kernel_main.*: it ends with writes", text)
    assert re.search(r"kernel 'hasty' on core \(0, 0\) and 1 more: .*:9 in kernel_main.*atomics that are not", text)
    assert "expected noc_async_atomic_barrier() before the end" in text


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize(
    ("body", "what", "call"),
    [
        (WRITE, "writes that have not left", "noc_async_writes_flushed()"),
        (WRITE.replace("8192)", "8192, noc_index, 1)"), "writes that have not left", "noc_async_writes_flushed()"),
        (POSTED, "posted writes that have not left", "noc_async_posted_writes_flushed()"),
        (READ, "reads whose data are not here", "noc_async_read_barrier()"),
    ],
)
def test_ends_before_data_have_left_or_come_are_warned_of_and_found(arch: str, body: str, what: str, call: str) -> None:
    program = nocbench.Program(arch)
    program.region("data", 16384, initial={(0, 0): bytes(8192), (1, 1): bytes(8192)})
    program.kernel(f"{HEAD}void kernel_main() {{\n    {body}\n}}\n", name="hasty", runtime_args=PLACE)
    message = f"it ends with {what} on NoC 0, of which this is the first: expected {call} before the end"
    (warning,) = program.run().warnings
    assert re.search(rf"'hasty' on core \(0, 0\): .*:4 in kernel_main.*: {re.escape(message)}$", warning)
    checked = run_program(program.description(), Machine(arch), watch=Watch({"synccheck"}))
    (finding,) = findings_of(checked.checked)
    assert (finding.check, finding.kind, finding.second.line) == ("synccheck", message, 4)
    assert checked.warnings == []


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_an_end_long_after_the_data_have_left_is_right(arch: str) -> None:
    program = nocbench.Program(arch)
    program.region("data", 16384)
    computes = 'for (int i = 0; i < 2000; ++i) { asm volatile("nop"); }'
    program.kernel(f"{HEAD}\nvoid kernel_main() {{ {WRITE} {computes} }}", runtime_args=PLACE)
    assert program.run().warnings == []


DEEP = f"""{HEAD}
volatile int variables[WORDS];
int __attribute__((noinline)) deep(volatile int* p, int n) {{
    volatile int a[64];
    for (int i = 0; i < 64; ++i) {{
        a[i] = n + *p;
    }}
    return n == 0 ? a[3] : deep(a, n - 1) + a[5];
}}
inline __attribute__((always_inline)) int begin(volatile int* p) {{ return deep(p, *p); }}
void kernel_main() {{
    variables[get_arg_val<uint32_t>(0)] = get_arg_val<uint32_t>(0);
    begin(&variables[get_arg_val<uint32_t>(0)]);
}}
"""


def run_deep(arch: str, words: int, depth: int) -> None:
    program = nocbench.Program(arch)
    program.kernel(DEEP, name="deep", defines={"WORDS": str(words)}, runtime_args=[depth])
    program.run()


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_stack_overflow(arch: str) -> None:
    private = {"wormhole_b0": 4096, "blackhole": 8192}[arch]
    words = 512
    # Recursion as deep as the private memory allows, or one call deeper.
    for depth in range(1, private // 256):
        try:
            run_deep(arch, words, depth)
        except nocbench.InputError as error:
            text = str(error)
            break
    else:
        pytest.fail("expected a stack overflow, found none")
    frame_bytes = 4 * 64 + 32
    assert depth == pytest.approx((private - 4 * words) / frame_bytes, abs=1.5)
    found = re.search(
        r"deep.*core \(0, 0\) riscv_0: .*\.cpp:5 in deep: stack overflow: the stack pointer is (\d+) bytes below the "
        r"end of the program's variables, which take (\d+) of the (\d+) bytes of private memory and leave (\d+) for "
        r"the stack",
        text,
    )
    assert found, text
    below, variables, of, left = (int(number) for number in found.groups())
    assert 0 < below <= frame_bytes
    assert 4 * words <= variables < 4 * words + 128
    assert (of, left) == (private, private - variables)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_stack_overflow_of_the_first_call(arch: str) -> None:
    program = nocbench.Program(arch)
    program.kernel(
        f"""{HEAD}
inline __attribute__((always_inline)) void fill(uint32_t n) {{
    volatile uint32_t large[2100];
    for (uint32_t i = 0; i < n; ++i) {{
        large[i] = i;
    }}
}}
void kernel_main() {{
    fill(get_arg_val<uint32_t>(0));
}}
""",
        runtime_args=[4],
    )
    with pytest.raises(
        nocbench.InputError,
        match=r"riscv_0: .*:\d+ in kernel_main: stack overflow: the stack pointer is \d+ bytes below",
    ):
        program.run()


def test_without_main() -> None:
    program = nocbench.Program("wormhole_b0")
    program.kernel(f"{HEAD}void kernel() {{\n}}\n")
    with pytest.raises(nocbench.InputError, match=r"expected `void kernel_main\(\)`, found none"):
        program.run()


def test_unknown_zone() -> None:
    program = nocbench.Program("wormhole_b0")
    program.kernel(f"{HEAD}void kernel_main() {{\n}}\n", timed="ROUND")
    with pytest.raises(nocbench.InputError, match="no zone is called 'ROUND'"):
        program.run()
