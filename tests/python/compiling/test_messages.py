"""Messages about wrong kernels and requests: one line with the place, and the expected content."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling import pinned_toolchain
from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.messages import KernelCompileError
from nocbench.compiling.request import BufferFormat, TensorLayout
from nocbench.support.device_files import device_directory
from nocbench.support.errors import InputError
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from device_programs import MakeRequest

FINE = "void kernel_main() {}\n"


def complaint(make_request: MakeRequest, text: str, **changes: object) -> str:
    with pytest.raises(InputError) as error:
        compile_kernel(make_request(text, **changes))
    assert error.value.exit_status is ExitStatus.BAD_INPUT
    return str(error.value).replace(str(make_request(text).source), "KERNEL")


BROKEN_KERNELS = {
    "a slip of the pen": (
        "void kernel_main() {\n    int x = 3\n}\n",
        "KERNEL:3: expected ',' or ';' before '}' token",
    ),
    "an unknown name": (
        '#include "dataflow_api.h"\nvoid kernel_main() {\n    noc_asink_read(1, 2, 3);\n}\n',
        "KERNEL:3: 'noc_asink_read' was not declared in this scope",
    ),
    "a missing header": (
        '#include "dataflow_apy.h"\nvoid kernel_main() {}\n',
        "KERNEL:1: dataflow_apy.h: No such file or directory",
    ),
    "no kernel_main": ("void kernel_name() {}\n", "KERNEL: expected `void kernel_main()`, found none"),
    "an empty file": ("", "KERNEL: expected `void kernel_main()`, found none"),
    "a compute kernel": (
        "namespace NAMESPACE {\nvoid MAIN {}\n}\n",
        "KERNEL:2: variable or field 'MAIN' declared void",
    ),
    "a compute kernel of another kind": (
        "namespace NAMESPACE {\nvoid main() {}\n}\n",
        "KERNEL: this is a compute kernel: only data-movement kernels, with `void kernel_main()`, can be run",
    ),
    "a function that is nowhere": (
        "void helper(int);\nvoid kernel_main() {\n    helper(3);\n}\n",
        "'helper(int)' is used, but defined nowhere",  # with the line, if the linker reports it
    ),
    "an argument of three bytes": (
        '#include "dataflow_api.h"\nvoid kernel_main() {\n    get_arg_val<uint8_t>(0);\n}\n',
        "KERNEL:3: an argument has four bytes (",
    ),
    "a compile-time argument that is not given": (
        (
            '#include "dataflow_api.h"\nvoid kernel_main() {\n'
            "    constexpr uint32_t n = get_compile_time_arg_val(2);\n    (void)n;\n}\n"
        ),
        "KERNEL:3: the kernel asks for a compile-time argument that the program does not give (",
    ),
    "a named compile-time argument that is not given": (
        (
            '#include "dataflow_api.h"\nvoid kernel_main() {\n'
            '    constexpr uint32_t n = get_named_compile_time_arg_val("pages");\n    (void)n;\n}\n'
        ),
        "KERNEL:3: the kernel asks for a named compile-time argument that the program does not give (",
    ),
    "a name that the program does not give": (
        '#include "experimental/kernel_args.h"\nvoid kernel_main() {\n    (void)get_arg(args::pages);\n}\n',
        "KERNEL:3: 'pages' is not a member of 'args'",
    ),
    "a layout that is not given": (
        (
            '#include "dataflow_api.h"\nvoid kernel_main() {\n    constexpr auto args = TensorAccessorArgs<5>();\n'
            "    (void)args;\n}\n"
        ),
        "KERNEL:3: TensorAccessorArgs: the program gives no compile-time argument for the layout of this tensor (",
    ),
    "a posted multicast": (
        (
            '#include "api/core_local_mem.h"\n#include "api/dataflow/endpoints.h"\nvoid kernel_main() {\n    Noc noc;\n'
            "    noc.async_write_multicast<Noc::ResponseMode::POSTED>(\n"
            "        CoreLocalMem<uint32_t>(0x10000), MulticastEndpoint{}, 64, 4, {}, {});\n}\n"
        ),
        "a multicast cannot be posted (",
    ),
    "a write from a bank": (
        (
            '#include "api/dataflow/endpoints.h"\nvoid kernel_main() {\n    Noc noc;\n'
            "    noc.async_write(AllocatorBank<AllocatorBankType::DRAM>{}, UnicastEndpoint{}, 64, {}, {});\n}\n"
        ),
        "an AllocatorBank is not in this core's L1 (",
    ),
    "a read into a bank": (
        (
            '#include "api/dataflow/endpoints.h"\nvoid kernel_main() {\n    Noc noc;\n'
            "    noc.async_read(UnicastEndpoint{}, AllocatorBank<AllocatorBankType::DRAM>{}, 64, {}, {});\n}\n"
        ),
        "an AllocatorBank is not in this core's L1 (",
    ),
    "its own check": (
        'void kernel_main() {\n    static_assert(NOC_INDEX == 1, "this kernel is for NoC 1");\n}\n',
        "KERNEL:2: this kernel is for NoC 1",
    ),
    "an exception": ("void kernel_main() {\n    throw 3;\n}\n", "KERNEL:2: exception handling disabled"),
}


@pytest.mark.parametrize("name", BROKEN_KERNELS)
def test_a_broken_kernel(name: str, make_request: MakeRequest) -> None:
    text, expected = BROKEN_KERNELS[name]
    said = complaint(make_request, text)
    assert "\n" not in said
    assert said.startswith(expected) or (not expected.startswith("KERNEL") and expected in said), said


@pytest.mark.parametrize(("text", "line"), [("a posted multicast", 5), ("a write from a bank", 4)])
def test_the_line_of_the_kernel_that_led_into_a_header(text: str, line: int, make_request: MakeRequest) -> None:
    assert complaint(make_request, BROKEN_KERNELS[text][0]).startswith(f"KERNEL:{line}: ")


def test_all_that_the_compiler_said_is_kept(make_request: MakeRequest) -> None:
    with pytest.raises(KernelCompileError) as error:
        compile_kernel(make_request("void kernel_main() { one(); two(); }\n"))
    assert "'one' was not declared" in error.value.compiler_messages
    assert "'two' was not declared" in error.value.compiler_messages


def test_too_much_code(make_request: MakeRequest) -> None:
    table = ", ".join(str(index) for index in range(7000))
    text = (
        f"constexpr unsigned table[7000] = {{{table}}};\n"
        "void kernel_main() { *(volatile unsigned*)0x10000 = table[*(volatile unsigned*)0x10004]; }\n"
    )
    said = complaint(make_request, text).splitlines()
    assert said[0].startswith("the image of riscv_0 in L1: ")
    used = int(said[0].split(" B do not fit 24576 B, ")[0].split()[-1])
    assert said[0].endswith(f" B do not fit 24576 B, {used - 24576} B too many")
    assert [line.split() for line in said[1:] if ".rodata" in line] == [[".rodata", "28000", "B"]]


@pytest.mark.parametrize(("architecture", "room"), [("wormhole_b0", 3584), ("blackhole", 7680)])
def test_too_much_data(architecture: str, room: int, make_request: MakeRequest) -> None:
    text = "volatile int table[2000];\nvoid kernel_main() { table[table[1]] = 3; }\n"
    said = complaint(make_request, text, architecture=architecture).splitlines()
    assert said[0] == (
        f"data in private memory, of which 512 B are left for the stack: 8000 B do not fit {room} B,"
        f" {8000 - room} B too many"
    )


BROKEN_REQUESTS: dict[str, tuple[dict[str, object], str]] = {
    "architecture": (
        {"architecture": "wormhole"},
        "architecture: expected wormhole_b0 or blackhole, found 'wormhole'; did you mean 'wormhole_b0'?",
    ),
    "riscv": ({"riscv": 2}, "riscv: expected 0 or 1, found 2"),
    "noc": ({"noc": -1}, "noc: expected 0 or 1, found -1"),
    "banks": ({"num_dram_banks": 0}, "num_dram_banks: expected 1 to 256, found 0"),
    "optimisation": (
        {"optimisation": "-O9"},
        "optimisation: expected one of -O0, -O1, -O2, -O3, -Os, found '-O9'",
    ),
    "word": ({"compile_time_args": (1, 2**32)}, "compile_time_args[1]: expected a 32-bit number, found 4294967296"),
    "named word": (
        {"named_compile_time_args": {"n": 2**40}},
        "named_compile_time_args: n: expected a 32-bit number, found 1099511627776",
    ),
    "name with a quote": (
        {"named_compile_time_args": {'a"b': 1}},
        "named_compile_time_args: expected a name without quotes, found 'a\"b'",
    ),
    "name of an argument": ({"runtime_arg_names": ("2nd",)}, "args: expected a name as in C++, found '2nd'"),
    "keyword": ({"common_arg_names": ("int",)}, "args: expected a name as in C++, found 'int'"),
    "twice": (
        {"runtime_arg_names": ("pages",), "common_arg_names": ("pages",)},
        "args: 'pages' is the name of two things",
    ),
    "semaphore": ({"semaphore_names": {"done": 16}}, "semaphore_names: done: expected 0 to 15, found 16"),
    "buffer": (
        {"buffers": {32: BufferFormat(64)}},
        "buffers: expected an id from 0 to 31, found 32",
    ),
    "page": ({"buffers": {3: BufferFormat(0)}}, "buffers[3]: expected pages of at least one byte, found 0"),
    "format": (
        {"buffers": {0: BufferFormat(2048, "float16_b")}},
        (
            "buffers[0]: expected a data format as Float32, Float16, Bfp8, Bfp4, Tf32, Float16_b, found 'float16_b'"
            "; did you mean 'Float16_b' or 'Float16' or 'Float32'?"
        ),
    ),
    "name of no buffer": (
        {"buffer_names": {"input": 1}},
        "buffer_names: input: expected the id of one of the buffers, found 1",
    ),
    "tensor": (
        {"tensors": {"a": TensorLayout((), 64)}},
        "tensors: a: expected at least one word of layout, found none",
    ),
    "macro": ({"defines": {"-O3": None}}, "defines: expected the name of a macro, found '-O3'"),
    "macro of several lines": (
        {"defines": {"A": "1\n#define B"}},
        "defines: A: expected one line, found several",
    ),
    "headers": (
        {"include_directories": (Path("/no/such/folder"),)},
        "/no/such/folder: expected a directory with headers, found none",
    ),
    "source": ({"source": Path("/no/such/kernel.cpp")}, "/no/such/kernel.cpp: no such file"),
    "folder": ({"source": Path("/tmp")}, "/tmp: expected the source of a kernel, found a directory"),
    "compiler": (
        {"compiler": Path("/no/such/gcc")},
        "--cc: /no/such/gcc: expected a compiler for 32-bit RISC-V, found no such program",
    ),
    "compiler for another processor": (
        {"compiler": Path("/usr/bin/cc")},
        "/usr/bin/cc: expected a compiler for 32-bit RISC-V, found one that refuses -march=rv32im -mabi=ilp32",
    ),
}


@pytest.mark.parametrize("name", BROKEN_REQUESTS)
def test_a_broken_request(name: str, make_request: MakeRequest) -> None:
    changes, expected = BROKEN_REQUESTS[name]
    assert complaint(make_request, FINE, **changes) == expected


def test_all_mistakes_of_a_request_are_told_at_once(make_request: MakeRequest) -> None:
    said = complaint(make_request, FINE, riscv=3, noc=4)
    assert said.splitlines() == ["riscv: expected 0 or 1, found 3", "noc: expected 0 or 1, found 4"]


def test_no_compiler_says_what_to_install(make_request: MakeRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinned_toolchain, "pinned_folder", lambda: None)
    monkeypatch.setenv("PATH", "/no/such/folder")
    assert complaint(make_request, FINE) == (
        "no compiler for device kernels: riscv64-unknown-elf-gcc was not found. Please run:\n"
        "    python -m nocbench.compiling.fetch_toolchain\nor\n"
        "    sudo apt-get install gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf\n"
        "or name another one with --cc"
    )


def programs_that_name(folder: Path) -> list[str]:
    """Returns the running programs that have a folder's name among their arguments."""
    running = []
    for arguments in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if str(folder).encode() in (text := arguments.read_bytes()):
                running.append(text.decode(errors="replace").split("\0")[0])
    return running


def test_a_compiler_that_does_not_end(
    make_request: MakeRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("nocbench.compiling.compiler_run._TIMEOUT_S", 0.5)
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    text = (
        "constexpr int spin(int n) { int x = 0; for (int i = 0; i < 200000; ++i) x ^= i * n; return x; }\n"
        + "".join(f"constexpr int a{i} = spin({i});\n" for i in range(400))
        + "void kernel_main() {}\n"
    )
    assert complaint(make_request, text) == "KERNEL: the compiler did not end within 0.5 s"
    # Its child processes end, too.
    for _ in range(50):
        if not programs_that_name(place):
            break
        time.sleep(0.1)
    assert programs_that_name(place) == []


def test_words_of_the_user_are_no_commands(make_request: MakeRequest, tmp_path: Path) -> None:
    """Neither a shell nor the compiler interprets them as anything but values."""
    mark = tmp_path / "mark"
    text = f"{FINE}static_assert(sizeof(TEXT) > 1);\n"
    compile_kernel(make_request(text, defines={"TEXT": f'"$(touch {mark}); `touch {mark}` -o {mark}"'}))
    assert not mark.exists()


def test_the_environment_does_not_leak_in(
    make_request: MakeRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "foreign.h").write_text("#define FOREIGN 1\n", encoding="utf-8")
    monkeypatch.setenv("CPATH", str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "leaked.h").write_text("", encoding="utf-8")
    assert "leaked.h: No such file" in complaint(make_request, '#include "leaked.h"\n' + FINE)


def test_warnings_are_messages(make_request: MakeRequest) -> None:
    kernel = compile_kernel(make_request("void kernel_main() {\n    int unused = 3;\n}\n"))
    assert "kernel.cpp:2:9: warning: unused variable 'unused'" in kernel.messages


def test_the_headers_are_where_they_are_looked_for() -> None:
    device = device_directory()
    for name in ("include/nocbench/library.h", "cxx/features.h", "link/kernel.ld", "link/start.cc", "link/firmware.s"):
        assert (device / name).is_file()
    assert os.access(device, os.R_OK)
