"""Headers of the host API are compiled once, with no effect on programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench.compiling import precompiled_header
from nocbench.host import building, precompiled
from nocbench.host.building import HostRequest, build, precompile

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
#include <tt-metalium/host_api.hpp>
int main() { tt::tt_metal::Program program = tt::tt_metal::CreateProgram(); }
"""


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Records the compiler's commands."""
    said: list[list[str]] = []
    run = building._run

    def recorded(command: list[str], source: Path) -> None:
        said.append(command)
        run(command, source)

    monkeypatch.setattr(building, "_run", recorded)
    return said


def compiled(place: Path, text: str, **changes: object) -> bytes:
    source = place / "program.cpp"
    source.write_text(text)
    return build(HostRequest((source,), **changes))  # type: ignore[arg-type]


def uses_it(command: list[str]) -> bool:
    return "nocbench_precompiled.h" in command


def test_it_is_made_once_and_used(tmp_path: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    precompile()
    monkeypatch.setattr(precompiled_header, "_made", None)
    assert compiled(tmp_path, f"{PROGRAM}// {tmp_path}\n")
    assert [uses_it(command) for command in commands] == [True, False]  # the second one links
    assert compiled(tmp_path, f"{PROGRAM}// {tmp_path}\n")  # its object is kept
    assert [uses_it(command) for command in commands] == [True, False, False]


@pytest.mark.parametrize(
    ("text", "name", "used"),
    [
        ("#include <vector>\n", "g++", False),
        ("#include <tt-metalium/host_api.hpp>\n", "clang++", False),
        ("#include <tt-metalium/host_api.hpp>\n", "x86_64-linux-gnu-g++-12", True),
        ('#include "device_fixture.hpp"\n', "g++", True),
    ],
)
def test_sources_and_compilers_that_it_suits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str, used: bool
) -> None:
    compiler = tmp_path / name
    compiler.touch()
    asked = []
    monkeypatch.setattr(precompiled, "precompiled_header", lambda *arguments: asked.append(arguments))
    precompiled.precompiled_for(text.encode(), (str(compiler),), ["-O1"], ())
    assert bool(asked) == used
    assert {arguments[3] for arguments in asked} <= {
        "nocbench/host/fixtures.h" if "fixture" in text else "nocbench/host/host_programs.h"
    }


def test_a_header_of_the_programs_own_comes_first(tmp_path: Path, commands: list[list[str]]) -> None:
    own = tmp_path / "headers" / "tt-metalium"
    own.mkdir(parents=True)
    (own / "host_api.hpp").write_text("#include_next <tt-metalium/host_api.hpp>\n#define OWN 1\n")
    (own.parent / "bfloat16.h").touch()  # the name of a header of the API
    text = f"#include <tt-metalium/host_api.hpp>\n#ifndef OWN\n#error\n#endif\nint main() {{}}\n// {tmp_path}\n"
    assert compiled(tmp_path, text, include_directories=(own.parent,))
    assert not uses_it(commands[0])


def test_other_macros_of_its_headers_count(tmp_path: Path) -> None:
    """The compiler leaves a precompiled header out whose macros differ."""
    text = "#include <tt-metalium/host_api.hpp>\nstatic_assert(_GLIBCXX_ASSERTIONS == 1);\nint main() {}\n"
    assert compiled(tmp_path, text, defines={"_GLIBCXX_ASSERTIONS": "1"})
