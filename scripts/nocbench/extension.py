"""The extension module over the C++ simulator; of the rest of Python, only nocbench.ttnn imports it, for its classes.

It is imported on first use, so that results of earlier runs can be read and compared without it. The simulator's
complaints about input arrive as :class:`nocbench.support.errors.InputError`.
"""

from __future__ import annotations

import functools
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from nocbench.support.errors import InputError
from nocbench.support.package import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")

_forget_kept: list[Callable[[], None]] = []


@functools.cache
def core() -> ModuleType:
    """Returns the extension module, for what cannot be refused."""
    from nocbench import _core as extension_module

    # Wheels carry the architecture files; in a checkout the extension module knows their place.
    packaged = PACKAGE / "archs"
    if packaged.is_dir():
        extension_module.set_architecture_directory(str(packaged))
    return extension_module


@contextmanager
def input_errors() -> Iterator[ModuleType]:
    """Gives the extension module, whose complaints about input leave the block as InputError."""
    extension_module = core()
    try:
        yield extension_module
    except extension_module.InputError as error:
        raise InputError(str(error)) from None


def kept(ask: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
    """Decorates a question to the simulator: its answers are kept until :func:`forget_answers`."""
    cached = functools.cache(ask)
    _forget_kept.append(cached.cache_clear)
    return cached  # type: ignore[return-value] # arguments are hashable


def forget_answers() -> None:
    """Forgets all kept answers, as architectures have changed."""
    for forget in _forget_kept:
        forget()


def source_fingerprint() -> str:
    """Returns the hash of the C++ sources of the extension module."""
    return str(core().source_fingerprint)


def extension_file() -> Path:
    """Returns the path of the extension module."""
    return Path(str(core().__file__))
