"""What reports say of the two sides of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nocbench.gate.verdicts import Coverage, GateReport, Side


def side_in_words(side: Side) -> str:
    """What a side is: "main, revision 4e1c7a90b2d3: Routers that look ahead"."""
    revision = f", revision {side.revision}" if side.revision and side.revision != side.name else ""
    return f"{side.name}{revision}{f': {side.subject}' if side.subject else ''}"


def banners(report: GateReport) -> list[str]:
    """What one must know before one reads any number."""
    lines = [
        f"the {side.label} was measured on hardware: its numbers repeat but roughly, and limits are widened for that"
        for side in (report.base, report.head)
        if side.is_measured
    ]
    if report.base.is_measured != report.head.is_measured:
        lines.append("a model is compared with hardware: differences tell how far the model is off, too")
    elif not report.base.is_measured and _models_differ(report):
        lines.append(
            f"the model of the base is that of revision {report.base.revision}, the model of the head that of "
            f"{report.head.revision}: a change may come from the model as well as from what runs on it"
        )
    return lines


def _models_differ(report: GateReport) -> bool:
    """Revisions stand for models: which constants a result comes from, no more is known of."""
    revisions = (report.base.revision, report.head.revision)
    return all(revisions) and revisions[0] != revisions[1]


def coverage_in_words(coverage: Coverage) -> str:
    """How many points rules are about, and whether that is enough."""
    share = f" ({100 * coverage.gated / coverage.points:.4g} %)" if coverage.points else ""
    text = f"{coverage.gated} of {coverage.points} points gated{share}"
    if coverage.base_gated is not None:
        text += f", {coverage.base_gated} in the base"
    if coverage.shortfall:
        text += f". {'EXCUSED' if coverage.excuse else 'TOO FEW'}: {coverage.shortfall}"
    if coverage.excuse:
        text += f" ({coverage.excuse})"
    return text
