"""The HTML report: a single file that needs neither network nor libraries.

Its parts are in templates/report/ and templates/web/. The data are embedded as JSON; an embedded script draws table,
plots and heat maps from them. A content security policy allows only the embedded script and style.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.points.peaks import WRONG_DATA, fault_of
from nocbench.reports.html_data import count_points, report_data, to_embedded_json
from nocbench.reports.sides import banners, coverage_in_words, side_in_words
from nocbench.reports.web_parts import html_environment, script, source_hash, style
from nocbench.support.exit_status import ExitStatus
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.gating.verdicts import GateReport, PointVerdict
    from nocbench.reports.traces import Trace

_PARTS = "report"
_TONES = {
    ExitStatus.FINE: "good",
    ExitStatus.NEGATIVE_VERDICT: "bad",
    ExitStatus.INCOMPLETE: "bad",
    ExitStatus.NOT_COMPARABLE: "warn",
}


def render_gate_page(report: GateReport, traces: Sequence[Trace] = ()) -> str:
    """Returns the report on a gate, the content of report.html."""
    return _render(
        title=f"{report.outcome}: {report.head.name} against {report.base.name}",
        tone=_TONES[report.exit_status],
        outcome=report.outcome,
        headline=report.counts_in_words(),
        facts=[
            ("base", side_in_words(report.base)),
            ("head", side_in_words(report.head)),
            ("rules", report.policy or "the default ones"),
            ("coverage", coverage_in_words(report.coverage)),
        ],
        banners=banners(report),
        groups=report.groups,
        unaffected=report.unaffected,
        first_difference=report.first_difference,
        notices=report.notices,
        accept_command=report.accept_command if report.changed else "",
        data=report_data(report.verdicts, traces, has_base=True),
    )


def render_results_page(name: str, points: Sequence[PointVerdict], traces: Sequence[Trace] = ()) -> str:
    """Returns the report on results without a base.

    Args:
        name: name of the results.
        points: rows without base; a point has a row per kernel.
        traces: traces of some of the points.
    """
    revisions = sorted({str(point.row.get("revision", "")) for point in points} - {""})
    faults = [(point, fault) for point in points if (fault := fault_of(point.row))]
    wrong = count_points(point for point, fault in faults if fault == WRONG_DATA)
    too_fast = count_points(point for point, fault in faults if fault != WRONG_DATA)
    num_points = count_points(points)
    headline = plural(num_points, "point") + (f" ({len(points)} rows)" if len(points) != num_points else "")
    headline += f", wrong data arrived in {wrong}" if wrong else ""
    if too_fast:
        headline += f", {too_fast} above the theoretical maximum"
    return _render(
        title=f"Results: {name}",
        tone="bad" if faults else "",
        outcome="",
        headline=headline,
        facts=[("results", name), *([("revision", ", ".join(revisions))] if revisions else [])],
        banners=[],
        groups=[],
        unaffected=[],
        first_difference=None,
        notices=[],
        accept_command="",
        data=report_data(points, traces, has_base=False),
    )


def _render(*, data: dict[str, Any], **context: Any) -> str:  # noqa: ANN401 - values of the template
    from markupsafe import Markup

    its_style, its_script = style(_PARTS), script(_PARTS)
    return (
        html_environment(_PARTS)
        .get_template("page.html.j2")
        .render(
            **context,
            traces=data["traces"],
            style=Markup(its_style),  # noqa: S704 - a file of nocbench
            style_hash=source_hash(its_style),
            script=Markup(its_script),  # noqa: S704 - a file of nocbench
            script_hash=source_hash(its_script),
            data=Markup(to_embedded_json(data)),  # noqa: S704 - escaped for a script element
        )
    )
