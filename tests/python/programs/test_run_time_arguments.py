"""Run-time arguments: a kernel reads the program's arguments, and reading any other one ends the run."""

from __future__ import annotations

import re

import pytest

import nocbench
from nocbench.compiling.request import ARCHITECTURES, MAX_ARGUMENTS

HEAD = '#include "dataflow_api.h"\n'
SUM = """
void kernel_main() {{
    volatile uint32_t* const sums = reinterpret_cast<volatile uint32_t*>(get_compile_time_arg_val(0));
    uint32_t own = 0;
    for (int index = 0; index < {num_own}; ++index) {{
        own = own * 3 + get_arg_val<uint32_t>(index);
    }}
    uint32_t common = 0;
    for (int index = 0; index < {num_common}; ++index) {{
        common = common * 3 + get_common_arg_val<uint32_t>(index);
    }}
    sums[0] = own;
    sums[1] = common;
}}
"""


def weighted_sum(words: range) -> int:
    total = 0
    for word in words:
        total = total * 3 + word
    return total % 2**32


def read_arguments(arch: str, body: str, own: list[int], common: list[int]) -> None:
    program = nocbench.Program(arch)
    program.kernel(
        f"{HEAD}void kernel_main() {{\n    {body}\n}}\n", name="reader", runtime_args=own, common_args=common
    )
    program.run()


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize(
    ("read", "kind"),
    [("get_arg_val", "run-time argument"), ("get_common_arg_val", "common run-time argument")],
)
@pytest.mark.parametrize("given", [0, 1, 2, 4, 5])
@pytest.mark.parametrize("beyond", [0, 1, 100])
def test_an_argument_that_is_not_given_ends_the_run(arch: str, read: str, kind: str, given: int, beyond: int) -> None:
    """Detected even if the cache already holds the line, because of an argument before it."""
    words = list(range(10, 10 + given))
    own, common = (words, [7] * 8) if kind == "run-time argument" else ([7] * 8, words)
    index = f"index < {given} ? index : index + {beyond}"
    body = f"for (int index = 0; index < {given + 1}; ++index) {{ {read}<uint32_t>({index}); }}"
    with pytest.raises(nocbench.InputError) as caught:
        read_arguments(arch, body, own, common)
    told = given or "none"
    assert re.search(
        rf"kernel 'reader' on core \(0, 0\) riscv_0: .*:3 in kernel_main: load of {kind} {given + beyond}: "
        rf"the program gives {told}$",
        str(caught.value),
    ), caught.value


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize(
    "access",
    [
        "*reinterpret_cast<volatile uint32_t*>(get_arg_addr(2));",
        "*reinterpret_cast<volatile uint8_t*>(get_arg_addr(2) + 3);",
        "*reinterpret_cast<volatile uint16_t*>(get_arg_addr(2) + 2);",
        "get_arg<uint32_t>(nocbench::RuntimeArgument<uint32_t>{8});",
        "get_vararg(2);",
    ],
)
def test_it_does_not_matter_how_it_is_read(arch: str, access: str) -> None:
    with pytest.raises(nocbench.InputError, match=r"load of run-time argument 2: the program gives 2$"):
        read_arguments(arch, access, [1, 2], [3])


def test_it_is_that_of_the_core_that_counts() -> None:
    program = nocbench.Program("wormhole_b0")
    program.kernel(
        f"{HEAD}void kernel_main() {{\n    get_arg_val<uint32_t>(1);\n}}\n",
        name="reader",
        cores=[(0, 0), (1, 0)],
        runtime_args=[5],
        each_core=[[6], []],
    )
    with pytest.raises(nocbench.InputError, match=r"core \(1, 0\) .*load of run-time argument 1: the program gives 1$"):
        program.run()


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("common", [0, 1, MAX_ARGUMENTS // 2, MAX_ARGUMENTS])
def test_the_most_arguments_reach_both_kernels_and_nothing_else(arch: str, common: int) -> None:
    own = MAX_ARGUMENTS - common
    program = nocbench.Program(arch)
    program.region("sums", 32)
    program.region("behind", 64, initial=range(16))
    program.semaphore(initial=77)
    for riscv in (0, 1):
        first = 1000 * (riscv + 1)
        program.kernel(
            HEAD + SUM.format(num_own=own, num_common=common),
            name=f"reader{riscv}",
            riscv=riscv,
            compile_time_args=[f"address sums + {8 * riscv}"],
            runtime_args=list(range(first, first + own)),
            common_args=list(range(first + 500, first + 500 + common)),
        )
    sums = [
        weighted_sum(range(first, first + count))
        for riscv in (0, 1)
        for first, count in ((1000 * (riscv + 1), own), (1000 * (riscv + 1) + 500, common))
    ]
    program.expect("sums", sums, core=(0, 0), size=16)
    program.expect("behind", range(16), core=(0, 0))
    program.run()


@pytest.mark.parametrize(
    ("own", "common"), [(MAX_ARGUMENTS + 1, 0), (300, 42), (0, 342), (513, 0), (1473, 0), (5000, 0)]
)
def test_more_arguments_than_a_kernel_can_have(own: int, common: int) -> None:
    with pytest.raises(
        nocbench.InputError,
        match=rf"expected at most {MAX_ARGUMENTS} run-time arguments on a core, common ones included, found "
        rf"{own + common} on core \(0, 0\)$",
    ):
        read_arguments("wormhole_b0", "", [1] * own, [2] * common)
