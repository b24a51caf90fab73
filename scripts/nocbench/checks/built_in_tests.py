"""Findings in points of nocbench's own tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from nocbench.checks.findings import access_of, finding_of
from nocbench.compiling.source_map import Frame
from nocbench.points.simulation import findings_of_point
from nocbench.programs.own_files import OwnFiles

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from nocbench.checks.findings import Access, Finding
    from nocbench.points.simulation import Configuration

_FRAME = re.compile(r"(?P<file>[^:]+):(?P<line>\d+) in ")
_INLINED = ", inlined at "


def findings_of_built_in(point: Configuration, checks: Collection[str]) -> list[Finding]:
    """Runs a point with all kernels compiled, and returns what checks find.

    Raises:
        InputError: the simulator refuses the point, or it has no kernels that can be checked.
    """
    own = OwnFiles()

    def access(site: Mapping[str, Any]) -> Access:
        matches = map(_FRAME.match, site["where"].split(_INLINED))
        frames = [Frame("", match["file"], int(match["line"])) for match in matches if match]
        frame = next((frame for frame in frames if own.has(frame)), None)
        return access_of(site, site["kernel"], frame.file if frame else "", frame.line if frame else 0)

    return [finding_of(found, access, lambda _address: "") for found in findings_of_point(point, checks)]
