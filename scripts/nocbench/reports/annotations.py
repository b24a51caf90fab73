"""Annotations: lines of output that GitHub shows at the changed files of a pull request.

GitHub silently drops more than ten annotations of a kind per step, so there are at most ten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.reports import cells
from nocbench.support.markdown import cut, on_one_line

if TYPE_CHECKING:
    from nocbench.gating.verdicts import GateReport, PointVerdict
    from nocbench.reports.cells import Place

MAX_ANNOTATIONS = 10
_MAX_CHARACTERS = 1000


def annotation_lines(report: GateReport) -> list[str]:
    """Returns workflow commands, the worst first.

    If there are more than ten, the last command gives the number left out.
    """
    commands = [_command("error", "not comparable", refusal) for refusal in report.refusals]
    if report.coverage.shortfall and not report.coverage.excuse:
        commands.append(_command("error", "too few points are gated", report.coverage.shortfall))
    commands += [_of_point(point) for point in report.failing]
    warnings = [*report.changed_rules, *report.notices]
    commands += [_command("warning", "nocbench gate", warning) for warning in warnings]
    if len(commands) <= MAX_ANNOTATIONS:
        return commands
    shown = commands[: MAX_ANNOTATIONS - 1]
    hidden = commands[MAX_ANNOTATIONS - 1 :]
    kind = "error" if any(command.startswith("::error") for command in hidden) else "warning"
    return [
        *shown,
        _command(kind, "nocbench gate", f"{len(hidden)} more are not shown here, but the summary has all of them"),
    ]


def _of_point(point: PointVerdict) -> str:
    title = f"{cells.verdict_in_words(point)}: {cells.point_in_words(point)} on {cells.where_in_words(point)}"
    message = f"{cells.changes_in_words(point)}. {cells.why(point)}. Reproduce: {point.command()}"
    return _command("error", title, message, cells.place_of_reason(point))


def _command(kind: str, title: str, message: str, place: Place | None = None) -> str:
    properties = {"file": place.file, "line": str(place.line)} if place is not None else {}
    properties["title"] = cut(on_one_line(title), _MAX_CHARACTERS)
    written = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    return f"::{kind} {written}::{_escape(cut(on_one_line(message), _MAX_CHARACTERS))}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
