"""Judges the head of a checkout by the merge base: builds and runs both, and finds where they begin to differ."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.gate import git
from nocbench.gate.changed_rules import changed_baseline, changed_policy
from nocbench.gate.first_difference import first_difference, read_events
from nocbench.gate.judgement import Results, judge
from nocbench.gate.model_changes import CHANGED_CONSTANT, changed_architectures, changed_constants, shorten
from nocbench.gate.policy import USUAL_POLICY, default_policy, find_policy, read_policy
from nocbench.gate.revisions import Revision, file_of, package_of, prepare
from nocbench.gate.verdicts import Side, Verdict
from nocbench.results.result_files import read_rows
from nocbench.support.atomic_files import make_directory
from nocbench.support.sources import is_source, takes_part

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nocbench.gate.policy import Policy
    from nocbench.gate.verdicts import FirstDifference, GateReport, PointVerdict

WORK_DIRECTORY = Path("build/gate")
TRACE_DIRECTORY = WORK_DIRECTORY / "worst"

BASELINE = USUAL_POLICY.with_name("quick.csv")
"""Where a checkout has recorded results of the quick tier."""

_MAX_POINTS_TRACED = 3
_MAX_TRACE_EVENTS = 200_000


def gate_revisions(
    directory: Path,
    base: str,
    run_arguments: Sequence[str],
    *,
    policy_file: Path | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> GateReport:
    """Compares HEAD, with changes that are not committed, with its merge base with `base`.

    Args:
        directory: in a checkout of nocbench.
        base: branch, tag or commit.
        run_arguments: what to run: arguments of `nocbench run`.
        policy_file: the rules; the checkout's own by default.
        say: is told what is being done.

    Raises:
        InputError: no such revision, a revision that does not build, or a mistake in a policy.
    """
    checkout = git.find_checkout(directory.resolve())
    commit, has_changes = git.head_commit(checkout)
    base_commit = git.merge_base(checkout, base, "HEAD")
    policy = find_policy(Path(os.path.relpath(checkout)), policy_file)
    policy_path = _path_in(checkout, policy)
    base_policy = policy if policy_path is None else _policy_of(checkout, base_commit, policy_path)
    work = checkout / WORK_DIRECTORY
    make_directory(work)

    results: dict[str, Results] = {}
    revisions: dict[str, Revision] = {}
    for label, name, of_side in (("base", base, base_commit), ("head", "HEAD", commit)):
        say(f"{label}: {of_side[:12]} {git.subject(checkout, of_side)}")
        revisions[label] = prepare(checkout, of_side, label, work, say)
        document = revisions[label].run(run_arguments)
        written = of_side[:12] if label == "base" or not has_changes else f"{git.commit_of(checkout, 'HEAD')[:12]}+"
        side = Side(label, name, written, git.subject(checkout, "HEAD" if label == "head" else of_side))
        rows = [row | {"revision": written} for row in document["rows"]]
        crashes = [_crash(crash) for crash in document["crashes"]]
        # Revisions before this one do not tell what was wrong.
        results[label] = Results(side, rows, crashes, document.get("data_faults", ()))
    report = judge(results["base"], results["head"], policy, base_policy=base_policy)
    report.notices += _model_changes(checkout, base_commit, commit, work)
    if has_changes:
        report.notices.append("the head has changes that are not committed")
        new = [name for name in git.untracked_files(checkout) if takes_part(name)]
        if new:
            report.notices.append(f"the head has files that git does not know yet: {', '.join(shorten(new))}")
    report.first_difference = _first_difference(report, revisions, checkout, say)
    if policy_path is not None:
        report.changed_rules += changed_policy(checkout, base_commit, policy_path, base_policy, policy)
    report.changed_rules += changed_baseline(checkout, base_commit, BASELINE)
    if (checkout / BASELINE).exists():
        run = shlex.join(["nocbench", "run", *run_arguments, "-o", "build/quick.csv"])
        accept = f"nocbench accept build/quick.csv --baseline {BASELINE} --reason '...'"
        report.accept_command = f"{run} && {accept}{accept_options(report, checkout / BASELINE)}"
    return report


def accept_options(report: GateReport, baseline: Path) -> str:
    """The options with which points that are gone are dropped from a baseline, and none that were not run."""
    if not report.count(Verdict.GONE):
        return ""
    words = ["--drop-missing"]
    rows = read_rows(baseline)
    for option, column in (("--test", "test"), ("--arch", "arch")):
        judged = {getattr(point, column) for point in report.verdicts}
        if {row[column] for row in rows} - judged:
            words += [word for name in sorted(judged) for word in (option, name)]
    return f" {shlex.join(words)}"


def _model_changes(checkout: Path, base_commit: str, commit: str, work: Path) -> list[str]:
    """The architectures that come and go, the constants that differ, by name, and the files of the simulator."""
    folders = [package_of(work, label) / "archs" for label in ("base", "head")]
    notices = changed_architectures(*folders)
    notices += [f"{CHANGED_CONSTANT}{line}" for line in shorten(changed_constants(*folders))]
    names = git.git_text(checkout, "diff", "--name-only", "-z", base_commit, commit).split("\0")
    sources = shorten([name for name in names if name and is_source(name)])
    return [*notices, *([f"changed sources of the simulator: {', '.join(sources)}"] if sources else [])]


def _path_in(checkout: Path, policy: Policy) -> Path | None:
    """Where a policy stands in a checkout, or the usual one would; None if it is not in it."""
    path = Path(policy.name).resolve() if policy.name else checkout / USUAL_POLICY
    return path.relative_to(checkout) if path.is_relative_to(checkout) else None


def _policy_of(checkout: Path, commit: str, path: Path) -> Policy:
    """The policy that a commit has at a path."""
    with file_of(checkout, commit, path) as copy:
        return default_policy() if copy is None else read_policy(copy)


def _crash(crash: dict[str, object]) -> dict[str, object]:
    parameters = crash["parameters"]
    assert isinstance(parameters, dict)
    known = {name: crash[name] for name in ("arch", "board", "test", "reason") if crash[name]}
    if "num_transactions" in parameters:
        known["num_transactions"] = int(parameters["num_transactions"])
    return known


def _first_difference(
    report: GateReport, revisions: dict[str, Revision], checkout: Path, say: Callable[[str], None]
) -> FirstDifference | None:
    """Traces the worst points on both sides, for the report; gives the difference of the worst whose traces differ."""
    directory = checkout / TRACE_DIRECTORY
    shutil.rmtree(directory, ignore_errors=True)
    make_directory(directory)
    worst = [point for point in report.changed if point.changes]
    found: FirstDifference | None = None
    for number, point in enumerate(worst[:_MAX_POINTS_TRACED], start=1):
        say(f"tracing {point.describe()}")
        paths = {label: directory / f"{number}_{label}.json.gz" for label in revisions}
        arguments = [*_trace_arguments(point), "--max-events", str(_MAX_TRACE_EVENTS)]
        is_traced = [revision.trace(arguments, paths[label]) for label, revision in revisions.items()]
        if all(is_traced) and found is None:
            found = first_difference(point, read_events(paths["base"]), read_events(paths["head"]))
    return found


def _trace_arguments(point: PointVerdict) -> list[str]:
    return shlex.split(point.command("trace"))[2:]
