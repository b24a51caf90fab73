"""A cached kernel is not reused if the compiler would now read a new file, in place of another or of a missing one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.lookups import Lookups
from nocbench.compiling.shmem_program import ShmemProgramRequest, compile_shmem_program
from nocbench.openshmem.machine import shmem_routines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from device_programs import MakeRequest

    Compile = Callable[[str], tuple[bytes, bool]]

INCLUDES = '#include "answer.h"\n'
NEW = "constexpr unsigned kAnswer = 43;\n"
# Source text, the file that appears later, and the content of that file. `outer` and `inner` are header folders.
APPEARING = {
    "a header beside the source": (INCLUDES, "source/answer.h", NEW),
    "a header in an earlier folder": ("#include <answer.h>\n", "outer/answer.h", NEW),
    "a header below an earlier folder": ('#include "below/answer.h"\n', "outer/below/answer.h", NEW),
    "a header beside a header": ('#include "outside.h"\n', "other/answer.h", NEW),
    "a header that a macro names": ('#define NAME "answer.h"\n#include NAME\n', "source/answer.h", NEW),
    "a header of the C++ library": (
        "#include <limits>\n#ifdef OTHER\n" + NEW + '#else\n#include "answer.h"\n#endif\n',
        "outer/limits",
        "#include_next <limits>\n#define OTHER\n",
    ),
    "a header that is not needed": (
        '#if __has_include("more.h")\n#include "more.h"\n#else\n#include "answer.h"\n#endif\n',
        "source/more.h",
        NEW,
    ),
    "a header that is only asked for": (
        '#if __has_include(<deep/more.h>)\nconstexpr unsigned kAnswer = 43;\n#else\n#include "answer.h"\n#endif\n',
        "inner/deep/more.h",
        "",
    ),
    "a header that a macro asks for": (
        '#define NAME "more.h"\n#if __has_include(NAME)\n' + NEW + '#else\n#include "answer.h"\n#endif\n',
        "source/more.h",
        "",
    ),
}
IN_PROGRAMS = ("a header beside the source", "a header of the C++ library", "a header that a macro asks for")
DATA = 'asm(".section .rodata\\n.global data\\ndata: .incbin \\"FILE\\"\\n.text");\n'


@pytest.fixture(params=["kernel", "program"])
def compile_text(request: pytest.FixtureRequest, make_request: MakeRequest, tmp_path: Path) -> Compile:
    """Compiles a text, with headers in two folders, for either processor. Returns the image, and True if cached."""
    folders = ("source", "outer", "outer/below", "inner", "inner/below", "inner/deep", "other")
    for folder in folders:
        (tmp_path / folder).mkdir()
    before = "constexpr unsigned kAnswer = 42;\n"
    for name in ("inner/answer.h", "inner/below/answer.h"):
        (tmp_path / name).write_text(before)
    (tmp_path / "inner" / "outside.h").write_text('#include "../other/inside.h"\n')
    (tmp_path / "other" / "inside.h").write_text('#include "answer.h"\n')
    (tmp_path / "inner" / "data.bin").write_text("data")
    includes = (tmp_path / "outer", tmp_path / "inner")
    use = "extern char data[] __attribute__((weak));\n"

    def kernel(text: str) -> tuple[bytes, bool]:
        main = "void kernel_main() { *(volatile unsigned*)0x10000 = kAnswer + (data ? data[0] : 0); }\n"
        made = replace(make_request(text + use + main), include_directories=includes)
        source = tmp_path / "source" / "kernel.cpp"
        made.source.replace(source)
        compiled = compile_kernel(replace(made, source=source))
        return compiled.elf, compiled.was_cached

    def program(text: str) -> tuple[bytes, bool]:
        source = tmp_path / "source" / "program.cpp"
        source.write_text(text + use + "int main() { return kAnswer + (data ? data[0] : 0); }\n")
        compiled = compile_shmem_program(
            ShmemProgramRequest(sources=(source,), include_directories=includes), shmem_routines()
        )
        return compiled.elf, compiled.was_cached

    return kernel if request.param == "kernel" else program


# A program takes three times as long to compile, and its headers are looked up in the same way.
@pytest.mark.parametrize(
    ("compile_text", "kind"),
    [("kernel", kind) for kind in APPEARING] + [("program", kind) for kind in IN_PROGRAMS],
    indirect=["compile_text"],
)
def test_a_file_that_appears_makes_it_anew(kind: str, compile_text: Compile, tmp_path: Path) -> None:
    text, name, content = APPEARING[kind]
    first, _ = compile_text(text)
    again, was_kept = compile_text(text)
    assert was_kept == ("macro asks" not in kind)
    assert again == first
    (tmp_path / name).write_text(content)
    other, was_kept = compile_text(text)
    assert not was_kept
    assert other != first
    (tmp_path / name).unlink()
    assert compile_text(text)[0] == first


@pytest.mark.parametrize(
    ("compile_text", "name", "written"),
    [
        ("kernel", "HERE/inner/data.bin", "inner/data.bin"),  # by its full path, as the linker has no folders
        ("program", "HERE/inner/data.bin", "inner/data.bin"),
        ("program", "data.bin", "outer/data.bin"),
    ],
    indirect=["compile_text"],
)
def test_data_of_the_assembler_that_change_make_it_anew(
    compile_text: Compile, name: str, written: str, tmp_path: Path
) -> None:
    text = INCLUDES + DATA.replace("FILE", name.replace("HERE", str(tmp_path)))
    first, _ = compile_text(text)
    assert compile_text(text) == (first, True)
    (tmp_path / written).write_text("DATA")
    changed, was_kept = compile_text(text)
    assert not was_kept
    assert changed != first


def test_other_files_that_appear_change_nothing(compile_text: Compile, tmp_path: Path) -> None:
    first, _ = compile_text(INCLUDES)
    for folder in ("source", "outer", "inner"):
        (tmp_path / folder / "unrelated.h").write_text(NEW)
    assert compile_text(INCLUDES) == (first, True)


def test_only_what_is_there_is_found(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    lookups = Lookups((str(tmp_path), f"{tmp_path}/none"), ("a", "b", "below/a"), (f"{tmp_path}/c", f"{tmp_path}/a"))
    assert lookups.found() == [f"{tmp_path}/a", f"{tmp_path}/a"]
