"""Arguments of functions, as the command line has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.architectures.files import name_of
from nocbench.points.catalogue import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.points.catalogue import Catalogue


def catalogue_of(suite: str | Path | None) -> Catalogue:
    """Returns the tests of the suite in a folder, or nocbench's own."""
    if suite is None:
        return BUILT_IN
    from nocbench.suites.suite import Suite

    return Suite(str(suite))


def names_of(arch: str | Path | Sequence[str | Path]) -> list[str]:
    """Returns the names of one or several architectures, each given by its name or file."""
    return [name_of(one) for one in ([arch] if isinstance(arch, (str, Path)) else arch)]
