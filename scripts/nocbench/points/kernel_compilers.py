"""Compilers of the suite's kernels that run on harts, which the simulator asks for as it runs a point."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nocbench.extension import input_errors
from nocbench.support.columns import COMPILER, with_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType


class _Running(threading.local):
    """Compiler of the kernels that run in a thread; empty if none are compiled."""

    compiler = ""


_running = _Running()


@contextmanager
def kernels_compiled_by(compiler: str) -> Iterator[ModuleType]:
    """Gives the extension module for a point whose kernels `compiler` compiles; empty: they are not compiled."""
    with input_errors() as core:
        core.set_kernel_compiler(_compile_suite_kernel)
        _running.compiler = compiler
        try:
            yield core
        finally:
            _running.compiler = ""


def _compile_suite_kernel(*request: Any) -> Any:  # noqa: ANN401 - what the simulator asks for, and takes
    if not _running.compiler:
        raise RuntimeError("a kernel is to be compiled of a test whose definition does not say so")
    # Imported late: most runs compile nothing, and the import takes a while.
    from nocbench.compiling.suite_kernels import compile_suite_kernel

    return compile_suite_kernel(*request)


def usual_compiler() -> str:
    """Returns name and version of the compiler of kernels. Raises InputError if there is none."""
    from nocbench.compiling.toolchain import find_toolchain

    return find_toolchain(None).label


def compiler_of(test: str) -> str:
    """Returns name and version of the compiler of a test's kernels; empty if none are compiled.

    Raises:
        InputError: there is no compiler.
    """
    with input_errors() as core:
        return usual_compiler() if core.has_compiled_kernels(test) else ""


def name_compiler(rows: Iterable[dict[str, Any]], compiler: str) -> None:
    """Adds the compiler of their kernels to rows, unless it is empty."""
    for row in rows:
        row["params"] = with_value(row["params"], COMPILER, compiler)
