"""Descriptions of the two sides of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.gating.model_changes import CHANGED_CONSTANT
from nocbench.points.catalogue import BUILT_IN, in_use
from nocbench.results.comparable_rows import is_fast
from nocbench.support.units import plural

if TYPE_CHECKING:
    from nocbench.gating.verdicts import Coverage, GateReport, Side


def side_in_words(side: Side) -> str:
    """Returns a side in words: "main, revision 4e1c7a90b2d3: Routers that look ahead"."""
    revision = f", revision {side.revision}" if side.revision and side.revision != side.name else ""
    return f"{side.name}{revision}{f': {side.subject}' if side.subject else ''}"


def banners(report: GateReport) -> list[str]:
    """Returns the warnings for the top of a report."""
    lines = list(report.changed_rules)
    lines += [
        f"the {side.label} was measured on hardware, so its numbers vary between runs, and the limits are wider"
        for side in (report.base, report.head)
        if side.is_measured
    ]
    for label in ("base", "head"):
        rows = [row for point in report.verdicts if (row := getattr(point, label)) is not None]
        if num_fast := sum(map(is_fast, rows)):
            lines.append(
                f"{plural(num_fast, 'row')} of the {label} {'is' if num_fast == 1 else 'are'} of points that were "
                "simulated packet by packet (accuracy=fast), which is less accurate"
            )
    if report.base.is_measured != report.head.is_measured:
        lines.append("a model is compared with hardware, so the differences include the error of the model")
    elif not report.base.is_measured and report.changed and (about_models := _about_models(report)):
        lines.append(about_models)
    return lines


def _about_models(report: GateReport) -> str:
    """Returns a warning if different models simulated the two sides, which may explain differences; else ""."""
    num_constants = sum(notice.startswith(CHANGED_CONSTANT) for notice in report.notices)
    if num_constants:
        return (
            f"the models differ in {plural(num_constants, 'constant')} (see the notices), so a change may come from "
            "the model and not from the kernels"
        )
    revisions = [report.base.revision, report.head.revision]
    if in_use() is not BUILT_IN:  # a suite's revision ends with that of nocbench
        revisions = [revision.rpartition("@")[2] if "@" in revision else "" for revision in revisions]
    if all(revisions) and revisions[0] != revisions[1]:
        return (
            f"the base was simulated by the model of revision {revisions[0]}, and the head by the model of revision "
            f"{revisions[1]}, so a change may come from the model and not from the kernels"
        )
    return ""


def coverage_in_words(coverage: Coverage) -> str:
    """Returns the coverage in words, with any shortfall."""
    share = f" ({100 * coverage.gated / coverage.points:.4g} %)" if coverage.points else ""
    text = f"{coverage.gated} of {coverage.points} points gated{share}"
    if coverage.base_gated is not None:
        text += f", {coverage.base_gated} in the base"
    if coverage.shortfall:
        text += f". {'EXCUSED' if coverage.excuse else 'TOO FEW'}: {coverage.shortfall}"
    if coverage.excuse:
        text += f" ({coverage.excuse})"
    return text
