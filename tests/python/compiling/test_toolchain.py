"""Choice and name of the kernels' compiler."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling import fetch_toolchain, pinned_toolchain
from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.toolchain import SYSTEM, Toolchain, ask, compiler_path, environment, find_toolchain
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from device_programs import MakeRequest

VERSION = "12.2.0"


@pytest.fixture
def place_of_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns an empty folder that replaces the pinned compiler's."""
    folder = tmp_path / "toolchain" / "pinned"
    monkeypatch.delenv(pinned_toolchain.VARIABLE, raising=False)
    monkeypatch.setattr(pinned_toolchain, "folder_to_fill", lambda: folder)
    monkeypatch.setattr(fetch_toolchain, "folder_to_fill", lambda: folder)
    return folder


def test_the_usual_compiler_is_the_pinned_one() -> None:
    found = find_toolchain(None)
    assert found.is_pinned
    assert found.identity == pinned_toolchain.identity()
    assert found.label == f"gcc-{VERSION}"
    assert ask(found, "-dumpfullversion") == VERSION


def test_its_identity_changes_with_each_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = pinned_toolchain.identity()
    newer = [*pinned_toolchain.packages()]
    newer[-1] = pinned_toolchain.Package(newer[-1].name, "next", newer[-1].keep, newer[-1].files)
    monkeypatch.setattr(pinned_toolchain, "packages", lambda: tuple(newer))
    assert pinned_toolchain.identity.__wrapped__() != before


def test_programs_of_the_pinned_compiler_read_its_own_libraries() -> None:
    found = find_toolchain(None)
    program = ask(found, "-print-prog-name=cc1plus")
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True, env=environment(found)).stdout
    libraries = dict(re.findall(r"(lib(?:isl|mpc|mpfr|gmp|z)\.so\S*) => (.+) \(", linked))
    assert len(libraries) == 5
    assert all(path.startswith(str(found.root)) for path in libraries.values())


@pytest.mark.parametrize(
    ("versions", "label"),
    [(["97"], f"gcc-{VERSION}+libstdc++-97"), (["97", "12", "9.4"], f"gcc-{VERSION}")],
    ids=["newer headers only", "the newest that are not newer"],
)
def test_headers_of_another_version(versions: list[str], label: str, tmp_path: Path) -> None:
    for version in versions:
        library = tmp_path / "usr" / "include" / "c++" / version
        library.mkdir(parents=True)
        (library / "array").touch()
        configuration = tmp_path / "usr" / "include" / "machine" / "c++" / version / "bits"
        configuration.mkdir(parents=True)
        (configuration / "c++config.h").write_text(f"#define _GLIBCXX_RELEASE {version}\n")
    assert Toolchain(find_toolchain(None).compiler, "another", tmp_path).label == label


def test_system_is_the_one_in_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = tmp_path / "riscv64-unknown-elf-gcc"
    usual.symlink_to(find_toolchain(None).compiler)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = find_toolchain(compiler_path("system"))
    assert found.compiler == usual
    assert not found.is_pinned
    assert find_toolchain(SYSTEM) == found


@pytest.mark.parametrize("name", ["./mycc", "bin/mycc", "../here/mycc"])
def test_a_path_to_a_compiler_begins_here(
    name: str, tmp_path: Path, make_request: MakeRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    wrapper = here / name
    (here / "bin").mkdir(parents=True)
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.quote(str(find_toolchain(None).compiler))} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.chdir(here)
    chosen = compiler_path(name)
    compiled = compile_kernel(make_request("void kernel_main() {}\n", compiler=chosen))
    assert compiled.section_bytes == compile_kernel(make_request("void kernel_main() {}\n")).section_bytes


def test_a_path_without_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^--cc: /.*/mycc: expected a compiler for 32-bit RISC-V, found no such"):
        find_toolchain(compiler_path("./mycc"))


def test_without_the_pinned_one_that_of_the_system_serves(
    place_of_pinned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not place_of_pinned.exists()
    (tmp_path / "riscv64-unknown-elf-gcc").symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_toolchain(None) == find_toolchain(SYSTEM)


def test_the_variable_names_a_folder_that_was_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled = find_toolchain(None).root
    monkeypatch.setenv(pinned_toolchain.VARIABLE, os.path.relpath(filled))
    assert find_toolchain(None).root == filled
    monkeypatch.setenv(pinned_toolchain.VARIABLE, str(tmp_path))
    (tmp_path / pinned_toolchain.CONTENT).write_text(json.dumps({"identity": "pinned earlier"}))
    with pytest.raises(InputError, match=f"^NOCBENCH_TOOLCHAIN: {tmp_path}: expected a folder that 'python -m"):
        find_toolchain(None)
