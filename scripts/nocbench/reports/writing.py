"""All reports of a gate, written to a directory."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from nocbench.support.atomic_files import make_directory, write_text
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from nocbench.gating.verdicts import GateReport

ARTIFACTS = ("gate.json", "summary.md", "comment.md", "junit.xml", "report.html", "points.csv")
"""Files of :func:`write_reports`, which always writes all of them, so that uploads never miss one."""

TRACES = "worst"
"""Name of the folder, below that of the reports, with traces of the worst points: `worst/*.json.gz`."""


def write_reports(
    report: GateReport, directory: Path, *, traces: Path | None = None, annotations: TextIO | None = None
) -> list[Path]:
    """Writes all :data:`ARTIFACTS`, and reports to GitHub within its jobs.

    Appends the summary to the file named in GITHUB_STEP_SUMMARY, if the variable is set. Prints annotations if
    GITHUB_ACTIONS is "true".

    Args:
        report: the gate's findings.
        directory: folder; created if missing.
        traces: directory with traces of the worst points, `*.json.gz`, to copy to `directory`/worst; by default, the
            traces that are already in `directory`/worst.
        annotations: stream for annotations; by default, standard output. GitHub reads workflow commands from both
            streams of a step.

    Returns:
        Paths of the written files.

    Raises:
        InputError: the directory cannot be written.
    """
    from nocbench.reports.annotations import annotation_lines
    from nocbench.reports.digest import render_comment, render_summary
    from nocbench.reports.html_page import render_gate_page
    from nocbench.reports.junit import render_junit
    from nocbench.reports.points_file import render_points
    from nocbench.reports.traces import copy_traces, read_traces

    make_directory(directory)
    if traces is not None:
        copy_traces(traces, directory / TRACES)
    summary = render_summary(report)
    texts = {
        "gate.json": json.dumps(report.to_json()) + "\n",
        "summary.md": summary,
        "comment.md": render_comment(report),
        "junit.xml": render_junit(report),
        "report.html": render_gate_page(report, read_traces(directory / TRACES, beside=directory)),
        "points.csv": render_points(report),
    }
    paths = [directory / name for name in ARTIFACTS]
    for path in paths:
        write_text(path, _writable(texts[path.name]))
    _append_summary(_writable(summary))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in annotation_lines(report):
            print(_writable(line), file=annotations)
    return paths


def _writable(text: str) -> str:
    """Replaces lone surrogates, which file names may contain and UTF-8 cannot encode."""
    return text.encode("utf-8", "backslashreplace").decode()


def _append_summary(summary: str) -> None:
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(summary)
    except OSError as error:
        raise InputError(f"{path}: the summary cannot be appended: {error.strerror}") from None
