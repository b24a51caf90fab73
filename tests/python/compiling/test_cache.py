"""Compiled kernels are cached by their inputs, and different kernels are never confused."""

from __future__ import annotations

import os
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling import cache
from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.messages import KernelCompileError
from nocbench.compiling.request import BufferFormat, TensorLayout
from nocbench.compiling.toolchain import find_toolchain
from nocbench.support import kept_files

if TYPE_CHECKING:
    from pathlib import Path

    from device_programs import MakeRequest

    from nocbench.compiling.request import KernelRequest

KERNEL = '#include "helper.h"\nvoid kernel_main() {\n    *reinterpret_cast<volatile unsigned*>(0x10000) = kAnswer;\n}\n'


@pytest.fixture(autouse=True)
def own_cache(kept_kernels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Caches kernels for a test alone, with the precompiled headers of all tests."""
    cache = tmp_path / "cache"
    cache.mkdir()
    for name in ("gchs", "headers"):
        (kept_kernels / name).mkdir(exist_ok=True)
        (cache / name).symlink_to(kept_kernels / name)
    monkeypatch.setenv("NOCBENCH_CACHE", str(cache))
    return cache / "kernels"


@pytest.fixture
def request_with_helper(make_request: MakeRequest, tmp_path: Path) -> KernelRequest:
    (tmp_path / "helper.h").write_text("constexpr unsigned kAnswer = 42;\n", encoding="utf-8")
    return make_request(KERNEL)


def test_the_second_time_it_is_taken_from_the_cache(
    request_with_helper: KernelRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compile_kernel(request_with_helper)
    assert not first.was_cached

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "run", refuse)
    second = compile_kernel(request_with_helper)
    assert second == replace(first, was_cached=True)


def test_what_changes_a_kernel_makes_it_anew(request_with_helper: KernelRequest, tmp_path: Path) -> None:
    request = request_with_helper
    compile_kernel(request)
    for changed in (
        replace(request, architecture="blackhole"),
        replace(request, riscv=1),
        replace(request, noc=1),
        replace(request, num_dram_banks=7),
        replace(request, num_l1_banks=63),
        replace(request, named_compile_time_args={"n": 1}),
        replace(request, runtime_arg_names=("n",)),
        replace(request, buffers={0: BufferFormat(64)}),
        replace(request, semaphore_names={"done": 1}),
        replace(request, tensors={"a": TensorLayout((2,), 64)}),
        replace(request, defines={"A": None}),
        replace(request, defines={"A": "1"}),
        replace(request, include_directories=(tmp_path,)),
        replace(request, optimisation="-Os"),
        replace(request, pcie_noc=(1, 1)),
    ):
        assert not compile_kernel(changed).was_cached
    assert compile_kernel(request).was_cached


def test_a_header_that_changes_makes_it_anew(request_with_helper: KernelRequest, tmp_path: Path) -> None:
    before = compile_kernel(request_with_helper)
    (tmp_path / "helper.h").write_text("constexpr unsigned kAnswer = 43;\n", encoding="utf-8")
    after = compile_kernel(request_with_helper)
    assert not after.was_cached
    assert after.elf != before.elf
    (tmp_path / "helper.h").unlink()
    with pytest.raises(KernelCompileError, match=r"helper\.h: No such file"):
        compile_kernel(request_with_helper)


def test_a_source_that_changes_back_is_found_again(make_request: MakeRequest) -> None:
    texts = [f"void kernel_main() {{ *(volatile int*)0x10000 = {number}; }}\n" for number in (1, 2)]
    kernels = [compile_kernel(make_request(text)) for text in (*texts, *texts)]
    assert [kernel.was_cached for kernel in kernels] == [False, False, True, True]
    assert [kernel.elf for kernel in kernels[:2]] == [kernel.elf for kernel in kernels[2:]]


def test_the_same_image_whenever_it_is_made(request_with_helper: KernelRequest, own_cache: Path) -> None:
    first = compile_kernel(request_with_helper)
    for file in own_cache.iterdir():
        file.unlink()
    assert compile_kernel(request_with_helper) == first


def test_another_compiler_makes_it_anew(request_with_helper: KernelRequest, tmp_path: Path) -> None:
    compile_kernel(request_with_helper)
    wrapper = tmp_path / "riscv64-unknown-elf-gcc"
    compiler = shlex.quote(str(find_toolchain(None).compiler))
    wrapper.write_text(f'#!/bin/sh\nexec {compiler} "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    assert not compile_kernel(replace(request_with_helper, compiler=wrapper)).was_cached


@pytest.mark.parametrize("damage", [b"", b"something else", None])
def test_a_damaged_file_is_made_anew(damage: bytes | None, request_with_helper: KernelRequest, own_cache: Path) -> None:
    first = compile_kernel(request_with_helper)
    (file,) = own_cache.iterdir()
    content = file.read_bytes()
    file.write_bytes(content[:-1] + b"?" if damage is None else damage)
    again = compile_kernel(request_with_helper)
    assert not again.was_cached
    assert again == first
    assert file.read_bytes() == content


def test_a_broken_kernel_is_not_kept(make_request: MakeRequest, own_cache: Path) -> None:
    for _ in range(2):
        with pytest.raises(KernelCompileError):
            compile_kernel(make_request("void kernel_main() { oops(); }\n"))
    assert not own_cache.exists() or not list(own_cache.iterdir())


def test_warnings_are_said_again(make_request: MakeRequest) -> None:
    request = make_request("void kernel_main() {\n    int unused = 3;\n}\n")
    assert compile_kernel(request).messages == compile_kernel(request).messages != ""


def test_many_at_once(request_with_helper: KernelRequest, own_cache: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        kernels = list(pool.map(compile_kernel, [request_with_helper] * 8))
    assert len({kernel.elf for kernel in kernels}) == 1
    assert [file.suffix for file in own_cache.iterdir()] == [".kernel"]


def test_what_was_not_used_for_longest_goes_first(
    make_request: MakeRequest, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def text(number: int) -> str:
        return f"void kernel_main() {{ *(volatile int*)0x10000 = {number}; }}\n"

    for number in range(4):
        compile_kernel(make_request(text(number)))
        for file in own_cache.iterdir():
            status = file.stat()
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns - 10**9))
    size = max(512 * file.stat().st_blocks for file in own_cache.iterdir())
    assert compile_kernel(make_request(text(0))).was_cached  # cached a moment ago
    monkeypatch.setattr(cache, "BYTES_MAX", 4 * size)
    monkeypatch.setattr(kept_files, "SHRINK_EVERY", 1)
    compile_kernel(make_request(text(4)))
    assert len(list(own_cache.iterdir())) == 3
    assert compile_kernel(make_request(text(0))).was_cached
    assert not compile_kernel(make_request(text(1))).was_cached


def test_where_nothing_can_be_kept_it_is_made_each_time(
    request_with_helper: KernelRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOCBENCH_CACHE", "/proc/no such place")
    assert not compile_kernel(request_with_helper).was_cached
    assert not compile_kernel(request_with_helper).was_cached


def test_the_place_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOCBENCH_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.kept_kernels().directory == tmp_path / ".cache" / "nocbench" / "kernels"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert cache.kept_kernels().directory == tmp_path / "caches" / "nocbench" / "kernels"


def test_a_path_with_spaces(make_request: MakeRequest, tmp_path: Path) -> None:
    folder = tmp_path / "my kernels, of 2026"
    folder.mkdir()
    (folder / "helper.h").write_text("constexpr unsigned kAnswer = 42;\n", encoding="utf-8")
    (folder / "copy kernel.cpp").write_text(KERNEL, encoding="utf-8")
    request = replace(make_request(KERNEL), source=folder / "copy kernel.cpp")
    compile_kernel(request)
    assert compile_kernel(request).was_cached
    (folder / "helper.h").write_text("constexpr unsigned kAnswer = 43;\n", encoding="utf-8")
    assert not compile_kernel(request).was_cached


@pytest.mark.parametrize(
    ("use", "in_header", "defines"),
    [
        ("get_compile_time_arg_val(0)", "", {}),
        ("FIRST", "#define FIRST get_compile_time_arg_val(0)", {}),
        ("FIRST", "", {"FIRST": "get_ct_arg<0>()"}),
        ("kernel_compile_time_args[0]", "", {}),
        ("0", "", {}),
    ],
)
def test_compile_time_arguments_matter_only_to_kernels_that_name_them(
    request_with_helper: KernelRequest, tmp_path: Path, use: str, in_header: str, defines: dict[str, str | None]
) -> None:
    (tmp_path / "helper.h").write_text(f'#include "dataflow_api.h"\n{in_header}\n')
    request_with_helper.source.write_text(f'#include "helper.h"\nvoid kernel_main() {{ get_write_ptr({use}); }}\n')
    request = replace(request_with_helper, defines=defines)
    for argument in (0, 1):
        kernel = compile_kernel(replace(request, compile_time_args=(argument,)))
        assert kernel.was_cached == (argument == 1 and use == "0")
