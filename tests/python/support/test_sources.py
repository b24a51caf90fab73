"""Sources without comments, as a compiler sees them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from nocbench.support.sources import _sources_in, fingerprint, is_suite_kernel, without_comments

CHECKOUT = Path(__file__).resolve().parents[3]


def said(text: str) -> bytes:
    return without_comments("a.cpp", text.encode())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("int a;", "// words\nint a;\n"),
        ("int a;", "int a;  // words"),
        ("int a;", "int a; /* words\nand more */"),
        ("int a;", "int /* words */ a;"),
        ("int a;\nint b;", "int a;\n\n    // words \\\n go on\n    int b;"),
        ('auto a = "//x";  // y', 'auto a = "//x";'),
        ("char a = '\\'';  // '", "char a = '\\'';"),
        ("int a = 1'000;  // it's", "int a = 1'000;"),
        ('auto a = R"(// "x)";  // "', 'auto a = R"(// "x)";'),
        ("#define A 1  // words", "#define A 1"),
    ],
)
def test_comments_do_not_count(one: str, other: str) -> None:
    assert said(one) == said(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("int a;", "int b;"),
        ("int ab;", "int a/**/b;"),
        ('auto a = "//x";', 'auto a = "//y";'),
        ('auto a = "\\"//x";', 'auto a = "\\"//y";'),
        ("char a = '\"'; int b;  // \"", "char a = '\"'; int c;  // \""),
        ("int a = 1'000; int b = 1'0; // '", "int a = 1'000; int c = 1'0; // '"),
        ('auto a = R"(// x)";', 'auto a = R"(// y)";'),
        ('auto a = R"e( )" // x\n)e";', 'auto a = R"e( )" // y\n)e";'),
        ('auto a = u8R"(/* x)";', 'auto a = u8R"(/* y)";'),
        ("#include <a//b>", "#include <a//c>"),
        ("#define A \\\n    b", "#define A \\\n\n    b"),
        ("#define A /*\n*/ b", "#define A\nb"),
        ('auto a = "a  b";', 'auto a = "a b";'),
    ],
)
def test_all_else_counts(one: str, other: str) -> None:
    assert said(one) != said(other)


def test_other_files_count_byte_for_byte() -> None:
    assert without_comments("kernel.ld", b"a // b\n") == b"a // b\n"


def test_the_compiler_sees_the_same_in_all_sources() -> None:
    sources = {name: text for name, text in _sources_in(CHECKOUT).items() if not name.endswith((".txt", ".cmake"))}
    assert len(sources) > 300

    def tokens(texts: list[bytes]) -> list[bytes]:
        command = ["g++", "-fpreprocessed", "-dD", "-E", "-P", "-w", "-x", "c++", "-"]
        seen = subprocess.run(command, input=b"\n".join(texts), capture_output=True, check=True)
        return seen.stdout.split()

    before = tokens(list(sources.values()))
    assert len(before) > 100_000
    shortened = [without_comments(name, text) for name, text in sources.items()]
    assert tokens(shortened) == before
    assert sum(map(len, shortened)) < 0.9 * sum(map(len, sources.values()))


def test_the_fingerprint_knows_names_and_contents() -> None:
    sources = {"a.cpp": b"int a;", "b.cpp": b"int b;"}
    first = fingerprint(sources)
    assert fingerprint({"b.cpp": b"int b;", "a.cpp": b"int a;  // words"}) == first
    assert fingerprint({"a.cpp": b"int b;", "b.cpp": b"int a;"}) != first
    assert fingerprint({"a.cpp": b"int a;"}) != first


def test_kernels_of_the_suite() -> None:
    assert is_suite_kernel("tensor_operations/reshard/kernels/device/mover.cpp")
    assert is_suite_kernel("kernels/frame/device/frame.h")
    assert not is_suite_kernel("kernels/device/include/noc.h")
    assert not is_suite_kernel("tensor_operations/reshard/kernels/mover.cpp")
