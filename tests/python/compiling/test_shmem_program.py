"""OpenSHMEM programs are compiled and cached, and invalid ones are refused with a reason."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from nocbench.compiling.shmem_program import ROUTINE_BASE, ShmemProgramRequest, compile_shmem_program
from nocbench.compiling.toolchain import ask, find_toolchain
from nocbench.openshmem.machine import shmem_routines
from nocbench.support.errors import InputError

FINE = "#include <shmem.h>\nint main(void) { shmem_init(); return shmem_my_pe(); }\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(text: str, name: str = "program.c") -> ShmemProgramRequest:
    Path(name).write_text(text)
    return ShmemProgramRequest(sources=(Path(name),))


def complaint(text: str, name: str = "program.c") -> str:
    with pytest.raises(InputError) as error:
        compile_shmem_program(write(text, name), shmem_routines())
    return str(error.value)


def test_the_same_image_whenever_it_is_made(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = write(FINE)
    images = []
    for cache in ("first", "second"):
        monkeypatch.setenv("NOCBENCH_CACHE", str(here / cache))
        images.append(compile_shmem_program(request, shmem_routines()))
    assert not any(image.was_cached for image in images)
    assert images[0].elf == images[1].elf


def test_no_header_of_integers_of_the_compiler_is_needed(here: Path) -> None:
    """Some compilers lack this header, for example gcc 14.2 of Debian 13."""
    pinned = find_toolchain(None)
    own = Path(ask(pinned, "-print-file-name=include"))
    shutil.copytree(own, here / "include", ignore=shutil.ignore_patterns("stdint*"))
    wrapper = here / "riscv64-unknown-elf-gcc"
    folders = ["-nostdinc", "-idirafter", f"{here}/include", "-idirafter", f"{own}-fixed"]
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.join([str(pinned.compiler), *folders])} "$@"\n')
    wrapper.chmod(0o755)
    text = "#include <inttypes.h>\n#include <stdio.h>\n" + FINE
    compiled = compile_shmem_program(replace(write(text), compiler=wrapper), shmem_routines())
    assert compiled.section_bytes == compile_shmem_program(write(text), shmem_routines()).section_bytes


WRONG = {
    "a slip of the pen": ("int main(void) {\n  return 1\n}\n", "program.c:2: expected ';' before '}' token"),
    "a type of 1.4": (
        "#include <shmem.h>\nint main(void) { shmem_ctx_t c; }\n",
        "program.c:2: unknown type name 'shmem_ctx_t': it is of OpenSHMEM 1.4, and this is 1.3",
    ),
    "a routine of 1.5": (
        "int main(void) {\n  return shmem_team_my_pe(0);\n}\n",
        "program.c:2: 'shmem_team_my_pe' is used, but defined nowhere: it is of OpenSHMEM 1.5, and this is 1.3",
    ),
    "a reduction of 1.5": (
        "int main(void) {\n  return shmem_int_sum_reduce(0);\n}\n",
        "program.c:2: 'shmem_int_sum_reduce' is used, but defined nowhere: it is of OpenSHMEM 1.5, and this is 1.3",
    ),
    "an atomic of 1.4": (
        "int main(void) {\n  return shmem_uint_atomic_fetch_or(0);\n}\n",
        (
            "program.c:2: 'shmem_uint_atomic_fetch_or' is used, but defined nowhere: "
            "it is of OpenSHMEM 1.4, and this is 1.3"
        ),
    ),
    "a routine that nobody knows": (
        "int main(void) {\n  return shmem_int_putt(0);\n}\n",
        "program.c:2: 'shmem_int_putt' is used, but defined nowhere: OpenSHMEM 1.3 has no such name",
    ),
    "threads": (
        "#include <pthread.h>\nint main(void) {}\n",
        "program.c:1: pthread.h: No such file or directory: out of scope: threads, for a core runs one program",
    ),
    "files": (
        '#include <stdio.h>\nint main(void) {\n  return fopen("x", "r") != 0;\n}\n',
        "program.c:3: 'fopen' is used, but defined nowhere: out of scope: files, for a core has no file system",
    ),
    "input": (
        '#include <stdio.h>\nint main(void) {\n  int n;\n  return scanf("%d", &n);\n}\n',
        (
            "program.c:4: 'scanf' is used, but defined nowhere: "
            "out of scope: input, for a core has none: a program may have arguments"
        ),
    ),
    "handlers of signals that the system sends": (
        "#include <signal.h>\nint main(void) {\n  struct sigaction a = {0};\n  return sigaction(SIGALRM, &a, 0);\n}\n",
        ("program.c:4: 'sigaction' is used, but defined nowhere: out of scope: other processes and signals"),
    ),
    "the place of a process": (
        "#include <sched.h>\nint main(void) {\n  cpu_set_t set;\n}\n",
        "program.c:3: unknown type name 'cpu_set_t': out of scope: places of processes, for PE p is core p",
    ),
    "instructions of the host": (
        "#include <immintrin.h>\nint main(void) {}\n",
        "program.c:1: immintrin.h: No such file or directory: out of scope: instructions of other processors",
    ),
    "an unknown function": (
        "int main(void) {\n  return foo();\n}\n",
        "program.c:2: 'foo' is used, but defined nowhere",
    ),
    "no main": ("int start(void) { return 0; }\n", "program.c: expected `int main(...)`, found none"),
    "a wrong pointer": (
        "#include <shmem.h>\nint main(void) {\n  void *p = 0;\n  shmem_put(p, p, 1, 2);\n}\n",
        "program.c:4: '_Generic' selector of type 'void' is not compatible with any association",
    ),
}


WRONG_CXX = {
    "exceptions": (
        "int main(int count, char **) {\n  if (count > 5) throw count;\n}\n",
        "program.cpp:2: out of scope: C++ exceptions",
    ),
    "run-time types": (
        "struct A { virtual ~A() {} };\nstruct B : A {};\nA *a;\nint main() { return !dynamic_cast<B *>(a); }\n",
        "program.cpp:4: out of scope: run-time types of C++",
    ),
    "files": (
        "#include <iostream>\n#include <fstream>\nint main() {}\n",
        "program.cpp:2: out of scope: files, for a core has no file system",
    ),
    "a thread": (
        "#include <thread>\nint main() {\n  std::thread t([] {});\n}\n",
        "program.cpp:3: 'thread' is not a member of 'std': out of scope: threads, for a core runs one program",
    ),
    "a task": (
        "#include <future>\nint main() {}\n",
        "program.cpp:1: out of scope: threads, for a core runs one program",
    ),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.usefixtures("here")
def test_says_in_one_line_what_is_wrong(case: str) -> None:
    text, expected = WRONG[case]
    assert complaint(text) == expected


@pytest.mark.parametrize("case", WRONG_CXX)
@pytest.mark.usefixtures("here")
def test_says_in_one_line_what_is_wrong_in_cxx(case: str) -> None:
    text, expected = WRONG_CXX[case]
    assert complaint(text, "program.cpp") == expected


@pytest.mark.usefixtures("here")
def test_says_what_takes_the_room() -> None:
    said = complaint("volatile int big[9000], small[100];\nint main(void) { big[1] = small[2]; for (;;) big[2]++; }\n")
    assert said.startswith("program.c: the program ends at ")
    assert "of the 32768 B of a core" in said
    assert "big                                        36000 B" in said
    assert "in front of the program                     1024 B" in said


@pytest.mark.usefixtures("here")
def test_requests_without_sense_are_refused() -> None:
    routines = shmem_routines()
    with pytest.raises(InputError, match="expected the source of a program, found no such file"):
        compile_shmem_program(ShmemProgramRequest(sources=(Path("none.c"),)), routines)
    with pytest.raises(InputError, match="expected a source in C or C"):
        compile_shmem_program(write(FINE, "program.txt"), routines)
    with pytest.raises(InputError, match="optimization: expected one of"):
        compile_shmem_program(ShmemProgramRequest(write(FINE).sources, optimization="-O7"), routines)


@pytest.mark.usefixtures("here")
def test_routines_are_addresses_outside_of_memory_and_known_by_name() -> None:
    routines = shmem_routines()
    program = compile_shmem_program(write(FINE), routines)
    assert program.routines == ("shmem_init", "shmem_my_pe", "_exit")
    assert ROUTINE_BASE + 4 * len(routines) <= 0


@pytest.mark.usefixtures("here")
def test_only_routines_that_a_program_uses_are_charged() -> None:
    text = "#include <cstring>\nchar **p;\nint main(int, char **a) { p = new char *(*a); return std::strlen(*p); }\n"
    program = compile_shmem_program(write(text, "program.cpp"), shmem_routines())
    assert "malloc" in program.routines
    assert not {"aligned_alloc", "realloc", "calloc"} & set(program.routines)
    text = "#include <string.h>\nint main(int n, char **argv) { return n + (int)strlen(argv[0]); }\n"
    assert compile_shmem_program(write(text), shmem_routines()).routines == ("_exit",)


@pytest.mark.usefixtures("here")
def test_programs_are_kept_until_something_changes() -> None:
    routines = shmem_routines()
    Path("value.h").write_text("#define VALUE 1\n")
    request = write('#include "value.h"\nint main(void) { return VALUE; }\n')
    first = compile_shmem_program(request, routines)
    again = compile_shmem_program(request, routines)
    assert (first.was_cached, again.was_cached) == (False, True)
    assert again.elf == first.elf
    assert again.source_map == first.source_map
    Path("value.h").write_text("#define VALUE 2\n")
    changed = compile_shmem_program(request, routines)
    assert not changed.was_cached
    assert changed.elf != first.elf


@pytest.mark.usefixtures("here")
def test_own_functions_stand_in_for_those_of_the_library() -> None:
    text = """
    #include <stdlib.h>
    #include <string.h>
    size_t strlen(const char *text) { return text[0] == 'x' ? 99 : 0; }
    int atoi(const char *text) { return (int)strlen(text); }
    int main(int argc, char **argv) { return atoi(argv[0]) + (strstr(argv[0], "y") != NULL); }
    """
    compile_shmem_program(write(text), shmem_routines())


@pytest.mark.usefixtures("here")
def test_source_lines_are_those_of_the_program() -> None:
    program = compile_shmem_program(write(FINE), shmem_routines())
    places = {(chain[-1].file, chain[-1].line) for _, chain in program.source_map if chain}
    assert ("program.c", 2) in places
