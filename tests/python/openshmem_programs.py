"""Programs of tests/shmem_programs, as described in the comment at the head of each program."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

DIRECTORY = Path(__file__).resolve().parents[1] / "shmem_programs"


@dataclass(frozen=True)
class ExampleProgram:
    """Example program.

    Attributes:
    path: first source.
    pes: numbers of PEs to run it on.
    arguments: arguments of main.
    further_sources: additional sources.
    defines: macros.
    exit_status: expected exit status.
    expected: texts in standard output and error, in this order.
    """

    path: Path
    pes: tuple[int, ...]
    arguments: tuple[str, ...]
    further_sources: tuple[Path, ...]
    defines: dict[str, str | None]
    exit_status: int
    expected: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.relative_to(DIRECTORY).as_posix()


def read_program(path: Path) -> ExampleProgram:
    """Parses the lines `// NAME: VALUE` of a source."""
    entries: dict[str, list[str]] = {}
    for name, value in re.findall(
        r"^(?://|/\*| \*) (pes|args|with|define|exit|expect): (.*?)(?: \*/)?$", path.read_text(), re.MULTILINE
    ):
        entries.setdefault(name, []).append(value)

    def words(name: str) -> list[str]:
        return shlex.split(" ".join(entries.get(name, [])))

    defines: dict[str, str | None] = {}
    for word in words("define"):
        name, equals, value = word.partition("=")
        defines[name] = value if equals else None
    return ExampleProgram(
        path,
        tuple(map(int, words("pes"))) or (16,),
        tuple(words("args")),
        tuple(path.parent / name for name in words("with")),
        defines,
        int((words("exit") or ["0"])[0]),
        tuple(entries.get("expect", ())),
    )


def all_programs() -> list[ExampleProgram]:
    """Reads all programs; sources without a description are parts of other programs."""
    sources = sorted([*DIRECTORY.glob("*/*.c"), *DIRECTORY.glob("*/*.cc"), *DIRECTORY.glob("*/*.cpp")])
    programs = map(read_program, sources)
    return [program for program in programs if program.expected]
