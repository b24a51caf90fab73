"""Runs of a compiler: flags, messages, and the files that were read."""

from __future__ import annotations

import logging
import os
import re
import shlex
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling.messages import KernelCompileError
from nocbench.compiling.toolchain import environment
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.compiling.toolchain import Toolchain

_ASSEMBLER_DEPENDENCIES = "read-by-assembler"
_TIMEOUT_S = 120
_LOG = logging.getLogger(__name__)
_UNROLLING_BY_NAME = re.compile(r"^[ \t]*#pragma GCC unroll(?![ \t]*\(?[ \t]*\d+[ \t]*\)?[ \t]*$).*$", re.MULTILINE)


def macro_flags(defines: Mapping[str, str | None]) -> list[str]:
    """Returns the flags that define macros; compilers define a name without a value as 1."""
    return [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in defines.items()]


def run_compiler(
    toolchain: Toolchain, arguments: Sequence[str], what: str, directory: Path, place: Path
) -> tuple[bool, str]:
    """Runs the compiler; returns True if it succeeded, and its messages.

    Args:
        toolchain: the toolchain of the compiler.
        arguments: all arguments of the compiler.
        what: name of the source, for messages.
        directory: base of relative paths.
        place: folder for the compiler's temporary files.

    Raises:
        KernelCompileError: the compiler does not end.
        InputError: the compiler cannot be run.
    """
    _LOG.info("%s: %s %s", what, toolchain.compiler, shlex.join(arguments))
    try:
        # A process group of its own: a compiler starts further programs, and killing only the first leaves a hanging
        # one.
        driver = subprocess.Popen(  # noqa: S603 - compiler and arguments come from the user
            [str(toolchain.compiler), *arguments],
            cwd=directory,
            env=environment(toolchain) | {"TMPDIR": str(place)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise InputError(f"{toolchain.compiler}: cannot be run: {error.strerror}") from None
    with driver:
        try:
            complaints = driver.communicate(timeout=_TIMEOUT_S)[1]
        except subprocess.TimeoutExpired:
            raise KernelCompileError(f"{what}: the compiler did not end within {_TIMEOUT_S} s", "") from None
        finally:
            if driver.returncode is None:
                os.killpg(driver.pid, signal.SIGKILL)
    return driver.returncode == 0, complaints.decode(errors="replace")


def refuses_unrolling(messages: str) -> bool:
    """Returns True if the compiler refuses `#pragma GCC unroll` with a template parameter, as gcc does before 15."""
    return "'#pragma GCC unroll' requires" in messages


def run_without_unrolling(toolchain: Toolchain, arguments: Sequence[str], what: str, place: Path) -> tuple[bool, str]:
    """Runs the compiler on the preprocessed source without the unrolling that it refuses; see :func:`run_compiler`.

    Places in the source stay the same. `arguments` name the source after `-x c++`.
    """
    source = arguments.index("c++") + 1
    preprocessed = place / "kernel.ii"
    fine, messages = run_compiler(
        toolchain, [*arguments[: source + 1], "-E", "-o", preprocessed.name], what, place, place
    )
    if not fine:
        return fine, messages
    text = preprocessed.read_text(encoding="utf-8", errors="surrogateescape")
    text, count = _UNROLLING_BY_NAME.subn("", text)
    preprocessed.write_text(text, encoding="utf-8", errors="surrogateescape")
    rest = [*arguments[: source - 1], "c++-cpp-output", preprocessed.name, *arguments[source + 1 :]]
    for flag, operands in (("-include", 1), ("-include", 1), ("-MD", 0), ("-MF", 1)):
        if flag in rest:
            place_of_flag = rest.index(flag)
            del rest[place_of_flag : place_of_flag + 1 + operands]
    fine, messages = run_compiler(toolchain, rest, what, place, place)
    left_out = "loops that are not unrolled, since this compiler takes only numbers after `#pragma GCC unroll`"
    return fine, f"{what}: {left_out}: {count}\n{messages}" if fine else messages


def assembler_dependencies(place: Path) -> tuple[str, ...]:
    """Returns flags with which the assembler lists the files that it reads (`.incbin`) in a file in `place`."""
    words = ("--MD", str(place / _ASSEMBLER_DEPENDENCIES))
    return tuple(flag for word in words for flag in ("-Xassembler", word))


def read_assembler_dependencies(place: Path, directory: Path) -> set[Path]:
    """Returns the files that the assembler read. Files that no longer exist were temporary files of the compiler."""
    return {path for path in read_dependencies(place / _ASSEMBLER_DEPENDENCIES, directory) if path.is_file()}


def read_dependencies(file: Path, directory: Path) -> set[Path]:
    """Returns the files in a dependency list of the compiler; `directory` is the base of relative paths."""
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    names = re.split(r"(?<!\\)\s+", text.partition(":")[2].replace("\\\n", " ").strip())
    return {Path(os.path.normpath(directory / re.sub(r"\\(.)", r"\1", name).replace("$$", "$"))) for name in names}
