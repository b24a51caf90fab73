"""The gate's findings as JUnit XML: a test case per point, for CI systems that show tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from nocbench.gating.verdicts import Verdict
from nocbench.reports import cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from xml.etree.ElementTree import Element

    from nocbench.gating.verdicts import GateReport, PointVerdict

_WHOLE = "gate"
"""Name of the suite with test cases that concern no single point."""

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(report: GateReport) -> str:
    """Returns the content of junit.xml.

    A failing point is a failure, a crashed point an error, and an ungated point is skipped. Insufficient coverage and
    incomparable sides are failures in a suite of their own, so that JUnit fails whenever the gate does.
    """
    suites: dict[str, list[Element]] = {_WHOLE: list(_cases_of_the_whole(report))}
    for point in report.verdicts:
        suites.setdefault(_class_name(point), []).append(_case(point))
    all_cases = [case for cases in suites.values() for case in cases]
    root = ElementTree.Element("testsuites", {"name": "nocbench", **_counts(all_cases)})
    for name, cases in suites.items():
        suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(name), **_counts(cases)})
        suite.extend(cases)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _cases_of_the_whole(report: GateReport) -> Iterator[Element]:
    comparable = _new_case(_WHOLE, "comparable")
    if report.refusals:
        _add(comparable, "failure", "; ".join(report.refusals), kind="refused")
    yield comparable
    coverage = _new_case(_WHOLE, "coverage")
    if not report.verdicts and not report.refusals:
        _add(coverage, "failure", "there are no points", kind="incomplete")
    elif report.coverage.shortfall and not report.coverage.excuse:
        _add(coverage, "failure", report.coverage.shortfall, kind="incomplete")
    yield coverage


def _case(point: PointVerdict) -> Element:
    case = _new_case(_class_name(point), _name(point))
    reason = cells.why(point)
    if point.fails:
        tag = "error" if point.verdict == Verdict.CRASHED else "failure"
        message = ": ".join(part for part in (cells.verdict_in_words(point), reason) if part)
        peak = cells.peak_percent_in_words(point)
        lines = [
            point.describe(),
            cells.changes_in_words(point),
            f"limiter: {cells.limiter_in_words(point)}",
            *([f"of the theoretical maximum: {peak}"] if peak else []),
            f"reproduce: {point.command()}",
        ]
        _add(case, tag, message, kind=str(point.verdict), text="\n".join(lines))
    elif point.verdict == Verdict.UNGATED:
        _add(case, "skipped", "no rule applies to this point")
    elif point.excuse:
        ElementTree.SubElement(case, "system-out").text = _clean(f"{point.verdict}, excused: {point.excuse}")
    return case


def _new_case(class_name: str, name: str) -> Element:
    # Points have no reproducible duration.
    return ElementTree.Element("testcase", {"classname": _clean(class_name), "name": _clean(name), "time": "0"})


def _add(case: Element, tag: str, message: str, *, kind: str = "", text: str = "") -> None:
    attributes = {"message": _clean(message), **({"type": kind} if kind else {})}
    ElementTree.SubElement(case, tag, attributes).text = _clean(text) or None


def _class_name(point: PointVerdict) -> str:
    return f"{point.arch}.{point.primitive or 'unknown'}"


def _name(point: PointVerdict) -> str:
    size = f"{point.num_transactions} x {point.transaction_size_bytes} B"
    return "/".join(part for part in (point.test, point.kernel, size, point.board, point.params) if part)


def _counts(cases: Sequence[Element]) -> dict[str, str]:
    found = {
        attribute: str(sum(case.find(tag) is not None for case in cases))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    return {"tests": str(len(cases)), **found, "time": "0"}


def _clean(text: str) -> str:
    """Replaces characters that XML cannot represent by their codes."""
    return _NOT_IN_XML.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
