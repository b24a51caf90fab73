"""Trees of tt-metal whose headers replace those of nocbench: checkouts, and unpacked `ttnn` wheels."""

from __future__ import annotations

import functools
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.compiling.request import DATA_FORMATS, MAX_ARGUMENTS, TILE_ROWS
from nocbench.compiling.toolchain import ask
from nocbench.support.device_files import device_directory
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from nocbench.compiling.request import KernelRequest
    from nocbench.compiling.toolchain import Toolchain

NAMES_HEADER = "nocbench_names.h"
_FOLDERS = {"wormhole_b0": "wormhole", "blackhole": "blackhole"}
_HEADERS = "tt_metal/hw/inc"
# Headers of the data-movement functions in different releases, the latest release first.
_DATAFLOW_APIS = ("api/dataflow/dataflow_api.h", "dataflow_api.h")
_PROFILERS = ("api/debug/kernel_profiler.hpp", "tools/profiler/kernel_profiler.hpp")
# A header of each chip, and one of tt-llk, with a hint if none is found.
_CHIP_HEADERS = {
    "dev_mem_map.h": "",
    "ckernel_structs.h": ": in a checkout, git submodule update --init tt_metal/third_party/tt_llk fetches it",
}
_NAMED_ARGUMENTS = f"{_HEADERS}/experimental/kernel_args.h"
_LAYOUTS = f"{_HEADERS}/api/tensor/tensor_accessor_args.h"
_SCRATCHPADS = f"{_HEADERS}/api/scratchpad_binding_token.h"
_HOST_HEADERS = ("tt_metal/api/tt-metalium/kernel.hpp", "tt_metal/impl/kernels/kernel.hpp")
_MAX_ARGUMENTS = re.compile(r"\bmax_runtime_args\s*=\s*(\d+)")
_MAX_ARGUMENTS_BEFORE = 256  # before 2026
_NUM_BUFFERS = 64  # maximum of all releases
_NO_FORMAT = 0xFF
_FACE_ROWS = 16
# Tables that tt-metal's host writes for each kernel, with an entry per buffer, which follows from the rows of a tile.
_FROM_ROWS: dict[str, Callable[[int], int]] = {
    "tile_num_faces": lambda rows: 4 if rows > _FACE_ROWS else 2,
    "partial_face": lambda rows: int(rows < _FACE_ROWS),
    "tile_face_r_dim": lambda rows: min(rows, _FACE_ROWS),
    "narrow_tile": lambda _: 0,
    "tile_r_dim": lambda rows: rows,
    "tile_c_dim": lambda _: 32,
    "num_faces_r_dim": lambda rows: 2 if rows > _FACE_ROWS else 1,
    "num_faces_c_dim": lambda _: 2,
}
_TABLES = "chlkc_descriptors.h"
# Names of these tables until early in 2026.
_OLDER_TABLES = ("unpack_data_format", "pack_data_format", "unpack_tile_dims", "pack_tile_dims")
_REJECTED = 'template <class T> void f() { static_assert(false, ""); }'


@dataclass(frozen=True)
class TtMetal:
    """A tree of tt-metal with usable headers.

    Attributes:
        root: folder that contains `tt_metal`.
        dataflow_api: name in `#include` of the header with the data-movement functions.
        profiler: name in `#include` of the header with zones.
        has_named_arguments: True if the tree defines `get_arg(args::…)` and similar functions.
        page_bytes_in_layouts: True if layouts of tensors contain the page size after the first word.
        max_arguments: maximum number of run-time arguments of a kernel on a core, including common ones.
    """

    root: Path
    dataflow_api: str
    profiler: str
    has_named_arguments: bool
    page_bytes_in_layouts: bool
    max_arguments: int


@functools.cache
def find_tt_metal(path: Path) -> TtMetal:
    """Returns the tree at a path.

    Raises:
        InputError: the path holds no tree, or one without headers at a known path.
    """
    if not path.is_dir():
        raise InputError(f"--tt-metal: {path}: expected a checkout of tt-metal or an unpacked wheel, found no folder")
    for root in (path, path / "ttnn"):
        headers = root / _HEADERS
        if headers.is_dir():
            break
    else:
        raise InputError(
            f"--tt-metal: {path}: expected a checkout of tt-metal or an unpacked wheel, with {_HEADERS}, found none"
        )
    root = root.absolute()
    dataflow_api = next((name for name in _DATAFLOW_APIS if (headers / name).is_file()), None)
    if dataflow_api is None:
        raise InputError(f"--tt-metal: {headers}: expected {' or '.join(_DATAFLOW_APIS)}, as since 2024, found neither")
    places = (headers, root / "tt_metal")
    profiler = next((name for name in _PROFILERS if any((place / name).is_file() for place in places)), None)
    if profiler is None:
        raise InputError(f"--tt-metal: {headers}: expected {' or '.join(_PROFILERS)}, found neither")
    for name, hint in _CHIP_HEADERS.items():
        for architecture, folder in _FOLDERS.items():
            if not any((directory / name).is_file() for directory in _candidates(root, architecture)):
                raise InputError(f"--tt-metal: {headers}: expected {name} of {folder}, found none{hint}")
    layouts = root / _LAYOUTS
    has_named_arguments = (root / _NAMED_ARGUMENTS).is_file()
    page_bytes_in_layouts = layouts.is_file() and b"AlignedPageSize" in layouts.read_bytes()
    return TtMetal(
        root,
        dataflow_api,
        profiler,
        has_named_arguments,
        page_bytes_in_layouts,
        max_arguments=_max_arguments(root, is_of_2026=has_named_arguments or page_bytes_in_layouts),
    )


def _max_arguments(root: Path, *, is_of_2026: bool) -> int:
    """Returns the maximum number of run-time arguments, which headers of the host state; wheels do not have them."""
    for name in _HOST_HEADERS:
        header = root / name
        if header.is_file() and (stated := _MAX_ARGUMENTS.search(header.read_text(errors="replace"))):
            return min(int(stated[1]), MAX_ARGUMENTS)
    return MAX_ARGUMENTS if is_of_2026 else _MAX_ARGUMENTS_BEFORE


def tt_metal_flags(tree: TtMetal, toolchain: Toolchain, request: KernelRequest) -> tuple[str, ...]:
    """Returns the flags for a tree: nocbench's folders of headers, then those of the tree."""
    device = device_directory()
    # The simulator observes the reports of kernels, so the headers for reports are nocbench's own.
    directories = [device / "tt_metal" / "include", device / "watching", *_candidates(tree.root, request.architecture)]
    flags = [flag for directory in directories if directory.is_dir() for flag in ("-isystem", str(directory))]
    # tt-metal's compiler has attributes for pointers that other compilers do not have.
    flags += ["-Wno-attributes", "-DTENSIX_FIRMWARE", "-DLOCAL_MEM_EN=0", "-DDISPATCH_MESSAGE_ADDR=0"]
    flags += [f"-DPROCESSOR_INDEX={request.riscv}", "-DPROGRAMMABLE_CORE_TYPE=0"]
    flags += ["-DNOCBENCH_TT_METAL=1", f'-DNOCBENCH_DATAFLOW_API="{tree.dataflow_api}"']
    flags += [f'-DNOCBENCH_PROFILER="{tree.profiler}"']
    if not _takes_assertions(toolchain):
        flags += ["-include", str(device / "tt_metal" / "static_assert.h")]
    return tuple(flags)


def write_generated_headers(tree: TtMetal, request: KernelRequest, place: Path) -> None:
    """Writes the headers that tt-metal's host writes for each kernel."""
    (place / _TABLES).write_text("\n".join([*_tables(request), ""]), encoding="utf-8")
    for name in _OLDER_TABLES:
        (place / f"chlkc_{name}.h").write_text(f'#include "{_TABLES}"\n', encoding="utf-8")
    names = "\n".join([*_names(tree, request), ""]) if tree.has_named_arguments else ""
    (place / NAMES_HEADER).write_text(names, encoding="utf-8")


def _candidates(root: Path, architecture: str) -> Iterator[Path]:
    """Yields the folders of headers in all releases, in order of search."""
    folder = _FOLDERS[architecture]
    metal = root / "tt_metal"
    headers = metal / "hw" / "inc"
    yield from (root, root / "ttnn", root / "ttnn" / "cpp", metal, headers, headers / "debug")
    yield from (metal / "hostdevcommon" / "api", metal / "api", metal / "api" / "tt-metalium", metal / "include")
    for base in (headers / "internal" / "tt-1xx", headers / "tt-1xx", headers):
        yield from (base, base / folder, base / folder / f"{architecture}_defines", base / folder / "noc")
    for library in (metal / "tt-llk", metal / "third_party" / "tt_llk"):
        own = library / f"tt_llk_{architecture}"
        yield from (own / "common" / "inc", own / "llk_lib", library / "common")
    kernels = metal / "hw" / "ckernels" / architecture
    yield from (kernels / "metal" / "common", kernels / "metal" / "llk_io", metal / "hw" / "firmware" / "src")


@functools.cache
def _takes_assertions(toolchain: Toolchain) -> bool:
    """Returns True if a failing assertion in an unused template is no error."""
    try:
        ask(toolchain, "-std=c++20", "-fsyntax-only", "-include", os.devnull, "-x", "c++", "-", text=_REJECTED)
    except InputError:
        return False
    return True


def _tables(request: KernelRequest) -> Iterator[str]:
    buffers = [request.buffers.get(id_) for id_ in range(_NUM_BUFFERS)]
    formats = [
        _NO_FORMAT if buffer is None or buffer.data_format is None else DATA_FORMATS[buffer.data_format]
        for buffer in buffers
    ]
    sizes = [0 if buffer is None else buffer.tile_bytes for buffer in buffers]
    rows = [TILE_ROWS[-1] if buffer is None else buffer.tile_rows for buffer in buffers]
    yield "#pragma once"
    yield "#include <cstdint>"
    for user in ("unpack", "pack"):
        for name in ("src_format", "dst_format"):
            yield _table(f"{user}_{name}", "std::uint8_t", formats)
        for name, of_rows in _FROM_ROWS.items():
            yield _table(f"{user}_{name}", "std::uint8_t", [of_rows(number) for number in rows])
        yield _table(f"{user}_tile_size", "std::uint32_t", sizes)


def _table(name: str, kind: str, values: list[int]) -> str:
    return f"constexpr {kind} {name}[{_NUM_BUFFERS}] = {{{', '.join(map(str, values))}}};"


def _names(tree: TtMetal, request: KernelRequest) -> Iterator[str]:
    """Yields the lines of tt-metal's header for named arguments, in tt-metal's namespace `experimental`."""
    yield "#pragma once"
    yield '#include "experimental/kernel_args.h"'
    yield "namespace args {"
    for kind, names in (("RtaArg", request.runtime_arg_names), ("CrtaArg", request.common_arg_names)):
        for index, name in enumerate(names):
            yield f"constexpr experimental::{kind}<std::uint32_t> {name}{{{4 * index}}};"
    for name, value in request.named_compile_time_args.items():
        if name.isidentifier():
            yield f"constexpr experimental::CtaVal<std::uint32_t> {name}{{{value & 0xFFFFFFFF}u}};"
    yield "}"
    yield from _bindings(tree, request)
    yield "FORCE_INLINE std::uint32_t get_vararg(std::uint32_t index) {"
    yield f"    return get_arg_val<std::uint32_t>({len(request.runtime_arg_names)} + index);"
    yield "}"
    yield "FORCE_INLINE std::uint32_t get_common_vararg(std::uint32_t index) {"
    yield f"    return get_common_arg_val<std::uint32_t>({request.num_named_common_args} + index);"
    yield "}"
    yield f"constexpr std::uint32_t get_num_compile_time_varargs() {{ return {len(request.compile_time_args)}; }}"
    yield "template <std::uint32_t index>"
    yield "constexpr std::uint32_t get_compile_time_vararg() { return get_ct_arg<index>(); }"
    yield "constexpr std::uint32_t get_compile_time_vararg(std::uint32_t index) {"
    yield "    return kernel_compile_time_args[index];"
    yield "}"


def _bindings(tree: TtMetal, request: KernelRequest) -> Iterator[str]:
    spaces = (
        ("dfb", "api/dataflow/dfb_binding_token.h", _buffers(request)),
        ("sem", "api/dataflow/semaphore_binding_token.h", _semaphores(request)),
        ("tensor", "api/tensor/tensor_binding_token.h", _tensors(request)),
        ("scratch", "api/scratchpad.h", _scratchpads(request)),
    )
    for space, header, lines in spaces:
        if (tree.root / _HEADERS / header).is_file():
            yield f'#include "{header}"'
            yield f"namespace {space} {{"
            yield from lines
            yield "}"


def _buffers(request: KernelRequest) -> Iterator[str]:
    for name, id_ in request.buffer_names.items():
        yield f"constexpr ::DFBBindingToken<> {name}{{{id_}}};"


def _semaphores(request: KernelRequest) -> Iterator[str]:
    for name, id_ in request.semaphore_names.items():
        yield f"constexpr ::SemaphoreBindingToken {name}{{{id_}, ::SemScope::LOCAL_NONATOMIC}};"


def _tensors(request: KernelRequest) -> Iterator[str]:
    for name in request.tensors:
        offset = 4 * request.tensor_address_argument(name)
        token = f"::tensor_accessor::TensorBindingToken<{request.tensor_layout_argument(name)}, {offset}>"
        yield f"using {name}_t = {token};"
        yield f"constexpr {name}_t {name}{{::binding_details::LLKMetadata{{}}}};"


def _scratchpads(request: KernelRequest) -> Iterator[str]:
    for name, size in request.scratchpads.items():
        yield f"constexpr ::ScratchpadBindingToken {name}{{{request.scratchpad_argument(name)}, {size}}};"
