"""Extras: packages that a plain ``pip install nocbench`` leaves out, since most uses do without them.

``pyproject.toml`` lists their packages under the same names.
"""

from __future__ import annotations

import functools
import importlib.util
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

_Parameters = ParamSpec("_Parameters")
_Returned = TypeVar("_Returned")

EXTRAS = {
    "cluster": ("distributed",),
    "optimise": ("deap",),
    "pandas": ("numpy", "pandas"),
    "parquet": ("pyarrow",),
    "plots": ("PIL", "matplotlib", "numpy", "pandas", "seaborn"),
    "serve": ("numpy", "pandas", "pebble", "tornado"),
}
"""Modules of each extra."""
_COMMANDS = "nocbench.commands."


def require_extra(extra: str, what: str) -> None:
    """Raises InputError unless all modules of an extra are installed. `what` needs them.

    To be called before any work starts: what takes hours must not fail at its end.
    """
    if any(importlib.util.find_spec(module) is None for module in EXTRAS[extra]):
        raise InputError(f"{what} needs the extra '{extra}': pip install 'nocbench[{extra}]'")


def needs(extra: str) -> Callable[[Callable[_Parameters, _Returned]], Callable[_Parameters, _Returned]]:
    """Returns a decorator of commands and public functions that need an extra from beginning to end."""

    def decorate(function: Callable[_Parameters, _Returned]) -> Callable[_Parameters, _Returned]:
        is_command = function.__module__.startswith(_COMMANDS)
        words = function.__module__.removeprefix(_COMMANDS).split(".") if is_command else []
        what = f"nocbench {' '.join(words)}" if is_command else f"nocbench.{function.__qualname__}"

        @functools.wraps(function)
        def checked(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Returned:
            require_extra(extra, what)
            return function(*args, **kwargs)

        return checked

    return decorate
