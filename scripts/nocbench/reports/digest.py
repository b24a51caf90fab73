"""The gate's findings as Markdown: the summary of a job, and the comment on a pull request.

Both have equal sections in equal order. If they exceed a limit, sections are dropped in the order of
:data:`DROPPING_ORDER`, the least important first, and the last line names the dropped sections.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.gating.verdicts import Verdict
from nocbench.reports import cells
from nocbench.reports.sides import banners, coverage_in_words, side_in_words
from nocbench.support.markdown import Markdown, cut, environment, escape, fenced, on_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.gating.verdicts import GateReport, PointVerdict

NEW_AND_GONE = "the lists of new and gone points"
OTHER_CHANGES = "changes that do not fail"
UNAFFECTED = "what is not affected"
EXCUSED = "excused points"
COMMANDS = "commands that run the points"
NOTICES = "notices"
MOST_FAILING = "all but the worst ten points that fail"
GROUPS = "what the failing points have in common"
FIRST_DIFFERENCE = "the first differing event"
FAILING = "the points that fail"

DROPPING_ORDER = (
    NEW_AND_GONE,
    OTHER_CHANGES,
    UNAFFECTED,
    EXCUSED,
    COMMANDS,
    NOTICES,
    MOST_FAILING,
    GROUPS,
    FIRST_DIFFERENCE,
    FAILING,
)
"""Order in which sections are dropped. Verdict, sides, coverage and the command to accept always fit."""

CHANGED_MARKER = "<!-- nocbench gate: changed -->"
UNCHANGED_MARKER = "<!-- nocbench gate: unchanged -->"
"""Last lines of comments. The workflow finds its comment by them, and knows whether a new comment is justified."""

_MOST_FAILING_POINTS = 10
_MAX_HEADLINE_CHARACTERS = 1000
_MAX_COMMAND_CHARACTERS = 2000
_MAX_GROUPS = 20


@dataclass(frozen=True, slots=True)
class Room:
    """Limits of a text.

    Attributes:
        max_bytes: size of the text, in UTF-8.
        max_failing: maximum points in the table of failures.
        max_others: maximum points in the table of other changes.
        max_listed: maximum points, names or sentences in each list.
        max_commands: maximum commands that run points.
    """

    max_bytes: int
    max_failing: int
    max_others: int
    max_listed: int
    max_commands: int


SUMMARY_ROOM = Room(max_bytes=1_000_000, max_failing=1000, max_others=200, max_listed=200, max_commands=50)
"""Limits of a summary: GitHub accepts 1 MiB per step."""

COMMENT_ROOM = Room(max_bytes=59_999, max_failing=50, max_others=20, max_listed=20, max_commands=10)
"""Limits of a comment: GitHub accepts 65,536 characters."""


def render_summary(report: GateReport) -> str:
    """Returns the summary of a job, the content of summary.md."""
    return _render(report, SUMMARY_ROOM, marker="")


def render_comment(report: GateReport) -> str:
    """Returns the comment on a pull request, the content of comment.md."""
    is_worth_it = bool(report.changed or report.changed_rules) or report.exit_status != 0
    return _render(report, COMMENT_ROOM, marker=CHANGED_MARKER if is_worth_it else UNCHANGED_MARKER)


class _Shortened(NamedTuple):
    """First items of a list, and the number of items left out."""

    shown: Sequence[Any]
    left_out: int


def _first(things: Sequence[Any], most: int) -> _Shortened:
    return _Shortened(things[:most], max(0, len(things) - most))


_NOTHING = _Shortened((), 0)


def _render(report: GateReport, room: Room, marker: str) -> str:
    sections = _sections(report)
    filled = {name for name, is_filled in sections.items() if is_filled}
    for num_dropped in range(len(DROPPING_ORDER) + 1):
        dropped = [name for name in DROPPING_ORDER[:num_dropped] if name in filled]
        if num_dropped and DROPPING_ORDER[num_dropped - 1] not in filled:
            continue  # dropping an empty section changes nothing
        text = _render_without(report, room, marker, dropped)
        if len(text.encode()) <= room.max_bytes:
            break
    return text


def _sections(report: GateReport) -> dict[str, bool]:
    """Returns the sections that can be dropped, each with True if it has content."""
    num_failing = len(report.failing)
    return {
        NEW_AND_GONE: bool(report.count(Verdict.NEW) or report.count(Verdict.GONE)),
        OTHER_CHANGES: bool(_others(report)),
        UNAFFECTED: bool(report.unaffected),
        EXCUSED: any(point.excuse for point in report.verdicts),
        COMMANDS: num_failing > 0,
        NOTICES: bool(report.notices),
        MOST_FAILING: num_failing > _MOST_FAILING_POINTS,
        GROUPS: bool(report.groups),
        FIRST_DIFFERENCE: report.first_difference is not None,
        FAILING: num_failing > 0,
    }


def _others(report: GateReport) -> list[PointVerdict]:
    """Returns points that changed without failing, except new and gone points, which are in lists of their own."""
    listed_apart = (Verdict.NEW, Verdict.GONE)
    return [point for point in report.changed if not point.fails and point.verdict not in listed_apart]


def _render_without(report: GateReport, room: Room, marker: str, dropped: Sequence[str]) -> str:
    max_failing = _MOST_FAILING_POINTS if MOST_FAILING in dropped else room.max_failing
    failing = [] if FAILING in dropped else report.failing
    commands = [] if COMMANDS in dropped else failing[: min(room.max_commands, max_failing)]
    excused = [point for point in report.verdicts if point.excuse]
    difference = None if FIRST_DIFFERENCE in dropped else report.first_difference
    return (
        environment()
        .get_template("gate_report.md.j2")
        .render(
            headline=escape(report.headline, _MAX_HEADLINE_CHARACTERS),
            sides=[(side.label, side_in_words(side)) for side in (report.base, report.head)],
            policy=report.policy,
            coverage=coverage_in_words(report.coverage),
            banners=banners(report),
            failing=_table(failing, max_failing),
            commands=fenced([f"{point.command()}  # {number}" for number, point in enumerate(commands, start=1)])
            if commands
            else "",
            groups=[] if GROUPS in dropped else report.groups[:_MAX_GROUPS],
            unaffected=[] if UNAFFECTED in dropped else _names(report.unaffected, room.max_listed),
            first_difference=difference,
            trace_command=fenced([difference.command]) if difference else "",
            others=_NOTHING if OTHER_CHANGES in dropped else _table(_others(report), room.max_others),
            excused=_NOTHING if EXCUSED in dropped else _first([_excused(point) for point in excused], room.max_listed),
            notices=_NOTHING if NOTICES in dropped else _first(report.notices, room.max_listed),
            accept_command=_accept_command(report),
            lists=[] if NEW_AND_GONE in dropped else _new_and_gone(report, room.max_listed),
            left_out=dropped,
            marker=Markdown(marker),
        )
    )


def _table(points: Sequence[PointVerdict], most: int) -> _Shortened:
    first = _first(points, most)
    return first._replace(shown=[_row(point, number) for number, point in enumerate(first.shown, start=1)])


def _row(point: PointVerdict, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "verdict": cells.verdict_in_words(point),
        "where": cells.where_in_words(point),
        "primitive": point.primitive,
        "name": cells.point_in_words(point),
        "latency": cells.latency_in_words(point),
        "bandwidth": cells.bandwidth_in_words(point),
        "change": cells.change_in_words(point),
        "peak": cells.peak_percent_in_words(point),
        "limiter": cells.limiter_in_words(point),
        "why": cells.why(point),
    }


def _excused(point: PointVerdict) -> dict[str, Any]:
    return {"verdict": point.verdict, "name": point.describe(), "excuse": point.excuse}


def _names(names: Sequence[str], most: int) -> list[str]:
    first = _first(names, most)
    return [*first.shown, *([f"and {first.left_out} more"] if first.left_out else [])]


def _new_and_gone(report: GateReport, most: int) -> list[tuple[str, _Shortened]]:
    lists = []
    for verdict in (Verdict.NEW, Verdict.GONE):
        names = [point.describe() for point in report.verdicts if point.verdict == verdict]
        if names:
            lists.append((f"{len(names)} {verdict}", _first(names, most)))
    return lists


def _accept_command(report: GateReport) -> Markdown:
    """Returns the command to accept changes, as Markdown; empty without changes, or if the command would be cut."""
    command = on_one_line(report.accept_command)
    is_useful = bool(command and report.changed) and command == cut(command, _MAX_COMMAND_CHARACTERS)
    return fenced([command]) if is_useful else Markdown("")
