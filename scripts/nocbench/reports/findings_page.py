"""Findings as an HTML page: a single file without scripts, with both source lines and a time line of each pair."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.checks.time_line import time_line
from nocbench.programs.source_lines import lines_around
from nocbench.reports.web_parts import html_environment, source_hash, style
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.checks.allowances import Allowance
    from nocbench.checks.findings import Access, Finding
    from nocbench.programs.execution import ProgramRun

_PARTS = "checks"
_NUM_LINES_AROUND = 2


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """What checks found in a run.

    Attributes:
        title: program and machine in words.
        findings: findings that no comment silences.
        allowances: comments that silence findings.
        run: the run; None if it failed.
    """

    title: str
    findings: Sequence[Finding]
    allowances: Sequence[Allowance]
    run: ProgramRun | None


def render_findings_page(runs: Sequence[CheckedRun], checks: Sequence[str]) -> str:
    """Returns the page on the findings of some runs, with the names of their checks."""
    from markupsafe import Markup

    its_style = style(_PARTS)
    num_findings = sum(len(run.findings) for run in runs)
    return (
        html_environment(_PARTS)
        .get_template("page.html.j2")
        .render(
            headline=plural(num_findings, "finding"),
            tone="bad" if num_findings else "good",
            checks=checks,
            runs=runs,
            time_line_of=time_line,
            name_of=lambda access: Path(access.file).name,
            context_of=_context_of,
            style=Markup(its_style),  # noqa: S704 - a file of nocbench
            style_hash=source_hash(its_style),
        )
    )


def _context_of(access: Access) -> list[tuple[int, str]]:
    return lines_around(access.file, access.line, _NUM_LINES_AROUND)
