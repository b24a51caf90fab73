"""Headers included by all kernels are compiled once, with no effect on the kernels."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling import compiler, precompiled_header, toolchain
from nocbench.compiling.compiler import compile_kernel, precompile
from nocbench.compiling.compiler_run import run_compiler
from nocbench.compiling.images import read_sections
from nocbench.support.device_files import device_directory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from device_programs import MakeRequest

    from nocbench.compiling.compiler import CompiledKernel

KERNEL = """
#include <algorithm>
void kernel_main() {
    std::array<unsigned, 3> values = {get_arg_val<unsigned>(0), 7, get_arg_val<unsigned>(1)};
    std::sort(values.begin(), values.end());
    noc_async_write(values[0], get_noc_addr(1, 1, values[1]), values[2]);
    noc_async_write_barrier();
}
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOCBENCH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records the compiler's list of headers: "! FILE" for a precompiled one, ". FILE" for others."""
    said: list[str] = []
    run = run_compiler

    def with_headers(
        found: toolchain.Toolchain, arguments: list[str], what: str, directory: Path, place: Path
    ) -> tuple[bool, str]:
        fine, messages = run(found, ["-H", *arguments], what, directory, place)
        said.extend(messages.splitlines())
        return fine, ""

    monkeypatch.setattr(compiler, "run_compiler", with_headers)
    return said


def is_used(said: list[str]) -> bool:
    return any(line.startswith("! ") and line.endswith("nocbench/library.h.gch") for line in said)


def without(compile_it: Callable[[], CompiledKernel], monkeypatch: pytest.MonkeyPatch, place: Path) -> CompiledKernel:
    with monkeypatch.context() as patch:
        patch.setenv("NOCBENCH_CACHE", str(place))
        patch.setattr(compiler, "precompiled_header", lambda *_: None)
        return compile_it()


@pytest.mark.parametrize("architecture", ["wormhole_b0", "blackhole"])
def test_kernels_are_the_same_as_without(
    architecture: str, make_request: MakeRequest, commands: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = make_request(KERNEL, architecture=architecture)
    plain = without(lambda: compile_kernel(request), monkeypatch, tmp_path / "other")
    assert not is_used(commands)
    compiled = compile_kernel(request)
    assert is_used(commands)
    assert read_sections(compiled.elf) == read_sections(plain.elf)
    assert compiled.source_map == plain.source_map


def test_it_is_made_once(make_request: MakeRequest, monkeypatch: pytest.MonkeyPatch, commands: list[str]) -> None:
    compile_kernel(make_request(KERNEL))
    monkeypatch.setattr(precompiled_header, "_made", None)
    commands.clear()
    compile_kernel(make_request(KERNEL, noc=1, riscv=1, compile_time_args=(1, 2, 3)))
    assert is_used(commands)


def test_it_may_be_made_before_the_first_kernel(
    make_request: MakeRequest, monkeypatch: pytest.MonkeyPatch, commands: list[str]
) -> None:
    request = make_request(KERNEL)
    precompile(request.architecture, None)
    monkeypatch.setattr(precompiled_header, "_made", None)
    compile_kernel(request)
    assert is_used(commands)


def test_it_has_all_headers_of_the_library_that_the_api_includes() -> None:
    own = device_directory() / "include"
    texts = {
        path: path.read_text() for folder in (own, device_directory() / "watching") for path in folder.rglob("*.h")
    }
    included = {path: set(re.findall(r"^#include <([a-z_]+)>", text, re.MULTILINE)) for path, text in texts.items()}
    assert set().union(*included.values()) == included[own / precompiled_header.LIBRARY]


def test_macros_that_change_its_headers_count(
    make_request: MakeRequest, commands: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = make_request(KERNEL, defines={"_GLIBCXX_ASSERTIONS": "1"})
    plain = without(lambda: compile_kernel(request), monkeypatch, tmp_path / "other")
    compiled = compile_kernel(request)
    assert not is_used(commands)
    assert read_sections(compiled.elf) == read_sections(plain.elf)


def test_a_header_of_the_kernels_own_comes_first(
    make_request: MakeRequest, commands: list[str], tmp_path: Path
) -> None:
    compile_kernel(make_request(KERNEL))
    commands.clear()
    folder = tmp_path / "headers"
    folder.mkdir()
    (folder / "optional").write_text("#include_next <optional>\n#define OWN 1\n")
    compile_kernel(make_request(f"#ifndef OWN\n#error\n#endif\n{KERNEL}", include_directories=(folder,)))
    assert not is_used(commands)


def test_what_changes_in_its_headers_makes_it_anew(
    make_request: MakeRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: list[str]
) -> None:
    copy = tmp_path / "device"
    shutil.copytree(device_directory(), copy)
    for module in (toolchain, compiler):
        monkeypatch.setattr(module, "device_directory", lambda: copy)
    toolchain.include_flags.cache_clear()
    toolchain.cxx_library_flags.cache_clear()
    try:
        text = "void kernel_main() {\n#ifdef CHANGED\n    while (true) {}\n#endif\n}\n"
        before = compile_kernel(make_request(text))
        library = copy / "include" / "nocbench" / "library.h"
        library.write_text(library.read_text() + "#define CHANGED 1\n")
        commands.clear()
        after = compile_kernel(make_request(text))
    finally:
        toolchain.include_flags.cache_clear()
        toolchain.cxx_library_flags.cache_clear()
    assert not after.was_cached
    assert is_used(commands)
    assert read_sections(after.elf) != read_sections(before.elf)


def test_a_damaged_one_is_made_anew(make_request: MakeRequest, own_cache: Path) -> None:
    first = compile_kernel(make_request(KERNEL))
    (file,) = (own_cache / "gchs").iterdir()
    file.write_bytes(b"")
    again = compile_kernel(make_request(KERNEL, noc=1))
    assert not again.was_cached
    assert file.stat().st_size > 0
    assert again.section_bytes == first.section_bytes


def test_where_nothing_can_be_kept_kernels_compile(make_request: MakeRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOCBENCH_CACHE", "/dev/null/nowhere")
    assert compile_kernel(make_request(KERNEL)).section_bytes
