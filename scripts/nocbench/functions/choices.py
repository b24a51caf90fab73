"""Arguments of functions, as the command line has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.architectures.files import name_of
from nocbench.points.axes import to_text
from nocbench.points.catalogue import BUILT_IN
from nocbench.points.settings import setting_to_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.points.catalogue import Catalogue


def catalogue_of(suite: str | Path | None) -> Catalogue:
    """Returns the tests of the suite in a folder, or nocbench's own."""
    if suite is None:
        return BUILT_IN
    from nocbench.suites.suite import Suite

    return Suite(str(suite))


def names_of(arch: str | Path | Sequence[str | Path]) -> list[str]:
    """Returns the names of one or several architectures, each given by its name or file; empty: none."""
    return [name_of(one) for one in ([arch] if isinstance(arch, (str, Path)) else arch) if one]


def axes_of(axes: Mapping[str, object]) -> dict[str, str]:
    """Returns values of axes and parameters as text."""
    return {name: to_text(value) for name, value in axes.items()}


def settings_of(settings: Mapping[str, object] | None) -> list[tuple[str, str]]:
    """Returns fields to change as text."""
    return [(name, setting_to_text(value)) for name, value in (settings or {}).items()]


def say_nothing(_line: str) -> None:
    """Drops a line that a command would print."""
