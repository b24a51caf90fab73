"""Trees of tt-metal replace nocbench's headers. A small tree made for the tests has everything that a kernel needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from nocbench import Program
from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.messages import KernelCompileError
from nocbench.compiling.request import BufferFormat, TensorLayout
from nocbench.compiling.tt_metal import find_tt_metal, write_generated_headers
from nocbench.programs.execution import Machine
from nocbench.programs.layout import lay_out
from nocbench.programs.preparation import placed_arguments
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from device_programs import MakeRequest

_MEMORY_MAP = """#define MEM_ZEROS_BASE 13344
#define MEM_ZEROS_SIZE 512
#define MEM_NOC_ATOMIC_RET_VAL_ADDR 4
#define REGFILE_BASE 0xFFE00000
#define PC_BUF_BASE 0xFFE80000
"""
_DATAFLOW_API = """#pragma once
#include <cstdint>
#define FORCE_INLINE inline __attribute__((always_inline))
#if __has_include("chlkc_descriptors.h")
#include "chlkc_descriptors.h"
#endif
using uint = unsigned;
#define tt_reg_ptr
#define tt_l1_ptr
enum class DataFormat : uint8_t { Float32 = 0, Float16_b = 5 };
inline uint32_t get_read_ptr(uint32_t) { return 0; }
inline uint32_t get_write_ptr(uint32_t) { return 0; }
constexpr uint32_t get_tile_size(uint32_t id) { return unpack_tile_size[id]; }
constexpr uint32_t get_dataformat(uint32_t id) { return unpack_src_format[id]; }
extern uint32_t* rta_l1_base;
template <typename T>
struct NeverUsed {
    static void call() { static_assert(false, "nobody calls this"); }
};
"""
_EMPTY = """risc_common.h tensix.h tensix_types.h noc.h noc_overlay_parameters.h ckernel_structs.h stream_io_map.h
    c_tensix_core.h noc_nonblocking_api.h internal/firmware_common.h"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    headers = tmp_path / "tree" / "tt_metal" / "hw" / "inc"
    for folder in ("wormhole", "blackhole"):
        own = headers / "internal" / "tt-1xx" / folder
        own.mkdir(parents=True)
        (own / "dev_mem_map.h").write_text(_MEMORY_MAP)
    for name in _EMPTY.split():
        path = headers / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#pragma once\n// {name}\n")  # gcc would treat files with equal content as one
    (headers / "api" / "dataflow").mkdir(parents=True)
    (headers / "api" / "dataflow" / "dataflow_api.h").write_text(_DATAFLOW_API)
    (headers / "api" / "debug").mkdir()
    (headers / "api" / "debug" / "kernel_profiler.hpp").write_text("#pragma once\n#define DeviceZoneScopedN(name)\n")
    return tmp_path / "tree"


@pytest.mark.parametrize("architecture", ["wormhole_b0", "blackhole"])
def test_a_kernel_is_compiled_with_their_headers(architecture: str, tree: Path, make_request: MakeRequest) -> None:
    text = """#include "api/debug/kernel_profiler.hpp"
        void kernel_main() {
            DeviceZoneScopedN("ours");
            static_assert(MEM_ZEROS_BASE == 0xD000 && get_tile_size(0) == 2048);
            *reinterpret_cast<volatile uint32_t*>(0x10000) = rta_l1_base[0];
        }"""
    request = make_request(text, architecture=architecture, tt_metal=tree, buffers={0: BufferFormat(2048, "Float16_b")})
    kernel = compile_kernel(request)
    assert kernel.messages == ""
    assert b"rta_l1_base" in kernel.elf
    assert b"ours\0" in kernel.elf  # name of the zone, in the trap's data


def test_assertions_still_hold(tree: Path, make_request: MakeRequest) -> None:
    request = make_request('static_assert(sizeof(int) == 5, "so wide");\nvoid kernel_main() {}\n', tt_metal=tree)
    with pytest.raises(KernelCompileError, match="so wide"):
        compile_kernel(request)


def test_a_changed_header_is_noticed(tree: Path, make_request: MakeRequest) -> None:
    request = make_request("void kernel_main() {}\n", tt_metal=tree)
    compile_kernel(request)
    assert compile_kernel(request).was_cached
    with (tree / "tt_metal" / "hw" / "inc" / "tensix.h").open("a") as header:
        header.write("// changed\n")
    assert not compile_kernel(request).was_cached


def test_names_are_written_as_their_host_does(tree: Path, tmp_path: Path, make_request: MakeRequest) -> None:
    headers = tree / "tt_metal" / "hw" / "inc"
    (headers / "experimental").mkdir()
    for name in ("experimental/kernel_args.h", "api/dataflow/dfb_binding_token.h"):
        (headers / name).write_text("#pragma once\n")
    (headers / "api" / "tensor").mkdir()
    (headers / "api" / "tensor" / "tensor_binding_token.h").write_text("#pragma once\n")
    (headers / "api" / "tensor" / "tensor_accessor_args.h").write_text("AlignedPageSize\n")
    request = make_request(
        "void kernel_main() {}\n",
        tt_metal=tree,
        compile_time_args=(7, 8),
        named_compile_time_args={"blocks": 3},
        runtime_arg_names=("first", "second"),
        common_arg_names=("shared",),
        buffers={4: BufferFormat(2048, None)},
        buffer_names={"in": 4},
        tensors={"source": TensorLayout((2, 2048), 2048)},
    )
    found = find_tt_metal(tree)
    assert found.has_named_arguments
    assert found.page_bytes_in_layouts
    write_generated_headers(found, request, tmp_path)
    names = (tmp_path / "nocbench_names.h").read_text()
    for line in (
        "constexpr experimental::RtaArg<std::uint32_t> second{4};",
        "constexpr experimental::CrtaArg<std::uint32_t> shared{0};",
        "constexpr experimental::CtaVal<std::uint32_t> blocks{3u};",
        "constexpr ::DFBBindingToken<> in{4};",
        "using source_t = ::tensor_accessor::TensorBindingToken<2, 4>;",
        "    return get_arg_val<std::uint32_t>(2 + index);",
        "    return get_common_arg_val<std::uint32_t>(2 + index);",
    ):
        assert line in names.splitlines(), line
    assert "namespace sem" not in names  # these headers have no semaphores by name


def test_an_older_tree_has_no_names(tree: Path) -> None:
    assert not find_tt_metal(tree).has_named_arguments
    assert not find_tt_metal(tree).page_bytes_in_layouts


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("tt_metal/api/tt-metalium/kernel.hpp", "constexpr uint32_t max_runtime_args = 341;", 341),
        ("tt_metal/api/tt-metalium/kernel.hpp", "constexpr uint32_t max_runtime_args = 256;", 256),
        ("tt_metal/impl/kernels/kernel.hpp", "inline constexpr uint32_t max_runtime_args = 256;", 256),
        ("tt_metal/api/tt-metalium/kernel.hpp", "class Kernel;", 256),
        ("tt_metal/hw/inc/experimental/kernel_args.h", "#pragma once", 341),
        ("tt_metal/hw/inc/api/tensor/tensor_accessor_args.h", "AlignedPageSize", 341),
    ],
)
def test_a_kernel_has_as_many_run_time_arguments_as_the_release_allows(
    file: str, text: str, expected: int, tree: Path, tmp_path: Path
) -> None:
    (tree / file).parent.mkdir(parents=True, exist_ok=True)
    (tree / file).write_text(f"{text}\n")
    (tmp_path / "kernel.cpp").write_text("void kernel_main() {}\n")

    def give(count: int) -> None:
        program = Program("wormhole_b0", tt_metal=tree)
        program.kernel(tmp_path / "kernel.cpp", runtime_args=[7] * (count - 1), common_args=[8])
        description = program.description()
        layout = lay_out(description, Machine("wormhole_b0").memories())
        placed_arguments(description, layout)

    give(expected)
    with pytest.raises(InputError, match=f"at most {expected} run-time arguments .*, found {expected + 1} on core"):
        give(expected + 1)


def test_headers_of_2025_print_by_observers(tree: Path, make_request: MakeRequest) -> None:
    headers = tree / "tt_metal" / "hw" / "inc"
    (headers / "debug").mkdir()
    for name in ("debug/dprint_buffer.h", "debug/waypoint.h", "hostdevcommon/dprint_common.h"):
        (headers / name).parent.mkdir(exist_ok=True)
        (headers / name).write_text(f"#pragma once\n// {name}\n")
    (headers / "hostdevcommon" / "dprint_common.h").write_text(
        "#pragma once\nstruct SliceRange { uint8_t h0, h1, hs, w0, w1, ws; };\n"
    )
    (headers / "debug" / "dprint.h").write_text(
        "#pragma once\nstruct ENDL { char none; };\n#define DPRINT if (0) Theirs()\n"
    )
    (headers / "internal" / "firmware_common.h").unlink()
    (headers / "firmware_common.h").write_text('#pragma once\n#include "debug/dprint.h"\n')  # the file beside it
    kernel = compile_kernel(
        make_request(
            '#include "dataflow_api.h"\nnamespace { void kernel_main() { DPRINT << "ours" << ENDL(); } }\n',
            tt_metal=tree,
        )
    )
    assert kernel.messages == ""
    assert b"ours\0" in kernel.elf


def test_a_wheel_has_its_tree_one_folder_deeper(tree: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "wheel"
    wheel.mkdir()
    tree.rename(wheel / "ttnn")
    assert find_tt_metal(wheel).root == wheel / "ttnn"


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("", "expected a checkout of tt-metal or an unpacked wheel, found no folder"),
        ("tt_metal", "with tt_metal/hw/inc, found none"),
        ("tt_metal/hw/inc/api/dataflow/dataflow_api.h", "expected api/dataflow/dataflow_api.h or dataflow_api.h"),
        ("tt_metal/hw/inc/api/debug", "expected api/debug/kernel_profiler.hpp or tools/profiler/kernel_profiler.hpp"),
        ("tt_metal/hw/inc/internal/tt-1xx/blackhole/dev_mem_map.h", "expected dev_mem_map.h of blackhole, found none"),
        ("tt_metal/hw/inc/ckernel_structs.h", "found none: in a checkout, git submodule update --init"),
    ],
)
def test_what_is_missing_is_named(missing: str, message: str, tree: Path, tmp_path: Path) -> None:
    (tree / missing).rename(tmp_path / "away")
    with pytest.raises(InputError, match=re.escape(message)) as error:
        find_tt_metal(tree)
    assert str(error.value).startswith(f"--tt-metal: {tree}")
