"""Judges the head of a checkout by the merge base: runs both, and finds the first difference of their traces."""

from __future__ import annotations

import os
import shlex
import shutil
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from nocbench.checks.faults import fault_below
from nocbench.gating import git
from nocbench.gating.changed_rules import changed_baseline, changed_policy
from nocbench.gating.first_difference import first_difference, read_events
from nocbench.gating.judgement import Results, judge
from nocbench.gating.model_changes import CHANGED_CONSTANT, changed_architectures, changed_constants, shorten
from nocbench.gating.policy import USUAL_POLICY, default_policy, find_policy, read_policy
from nocbench.gating.revisions import Revision, file_of, package_of, prepare
from nocbench.gating.verdicts import Side, Verdict
from nocbench.results.result_files import read_rows
from nocbench.support.atomic_files import make_directory
from nocbench.support.sources import is_source, takes_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nocbench.gating.policy import Policy
    from nocbench.gating.verdicts import FirstDifference, GateReport

WORK_DIRECTORY = Path("build/gate")
TRACES = "worst"
"""Name of the folder, below `Subject.work`, with traces of the worst points."""

BASELINE = USUAL_POLICY.with_name("quick.csv")
"""Path in a checkout of the recorded results of the quick tier."""

_MAX_POINTS_TRACED = 3
_MAX_TRACE_EVENTS = 200_000


class Subject(Protocol):
    """Subject of the gate: nocbench itself, or a suite."""

    @property
    def checkout(self) -> Path:
        """Repository of the subject."""

    @property
    def work(self) -> Path:
        """Folder for builds and traces."""

    @property
    def policy(self) -> Policy:
        """Rules for the subject."""

    @property
    def usual_policy(self) -> Path:
        """Default path of the policy in the repository."""

    @property
    def baseline(self) -> Path | None:
        """Path of the recorded results in the repository, even without a file; None for results outside."""

    def takes_part(self, name: str) -> bool:
        """Returns True if results depend on a file, given by its path in the repository."""

    def prepare(self, commit: str, label: str, say: Callable[[str], None]) -> Revision:
        """Makes a commit ready to run, as "base" or as "head". Raises InputError if it does not build."""

    def policy_of_base(self, path: Path, commit: str) -> Policy:
        """Returns the policy at a path in the prepared base."""

    def changes(self, base_commit: str, commit: str) -> list[str]:
        """Returns notices about the differences of the prepared sides."""

    def accept_commands(self, run_arguments: Sequence[str]) -> tuple[str, str]:
        """Returns two command lines: the first repeats the whole run, the second accepts its results."""


class CheckoutSubject:
    """A checkout of nocbench as subject: its kernels and its simulator."""

    def __init__(self, directory: Path, policy_file: Path | None) -> None:
        """Finds the checkout around a directory. Takes the policy from the file, else from the checkout."""
        self.checkout = git.find_checkout(directory.resolve())
        self.work = self.checkout / WORK_DIRECTORY
        self.policy = find_policy(Path(os.path.relpath(self.checkout)), policy_file)
        self.usual_policy = USUAL_POLICY
        self.baseline: Path | None = BASELINE

    def takes_part(self, name: str) -> bool:
        """See :meth:`Subject.takes_part`."""
        return takes_part(name)

    def prepare(self, commit: str, label: str, say: Callable[[str], None]) -> Revision:
        """Builds the simulator of a commit if no earlier build can be used."""
        return prepare(self.checkout, commit, label, self.work, say)

    def policy_of_base(self, path: Path, commit: str) -> Policy:
        """See :meth:`Subject.policy_of_base`."""
        with file_of(self.checkout, commit, path) as copy:
            return default_policy() if copy is None else read_policy(copy)

    def changes(self, base_commit: str, commit: str) -> list[str]:
        """Returns notices of new and removed architectures, changed constants, and changed sources of the simulator."""
        folders = [package_of(self.work, label) / "archs" for label in ("base", "head")]
        notices = changed_architectures(*folders)
        notices += [f"{CHANGED_CONSTANT}{line}" for line in shorten(changed_constants(*folders))]
        names = git.git_text(self.checkout, "diff", "--name-only", "-z", base_commit, commit).split("\0")
        sources = shorten([name for name in names if name and is_source(name)])
        return [*notices, *([f"changed sources of the simulator: {', '.join(sources)}"] if sources else [])]

    def accept_commands(self, run_arguments: Sequence[str]) -> tuple[str, str]:
        """See :meth:`Subject.accept_commands`.

        Both commands use the quick tier, like the baseline, whichever tier was judged.
        """
        quick = ["quick" if before == "--tier" else word for before, word in pairwise(["", *run_arguments])]
        run = shlex.join(["nocbench", "run", *quick, "-o", "build/quick.csv"])
        return run, f"nocbench accept build/quick.csv --baseline {BASELINE} --reason '...'"


def run_arguments(
    tests: Iterable[str],
    *,
    tier: str = "quick",
    architectures: Iterable[str] = (),
    exclude: Iterable[str] = (),
    jobs: int | None = None,
) -> list[str]:
    """Returns the arguments of `nocbench run` for both sides of a gate."""
    arguments = [*tests, "--tier", tier]
    for arch in architectures:
        arguments += ["--arch", arch]
    for test in exclude:
        arguments += ["--exclude", test]
    return [*arguments, "--jobs", str(jobs)] if jobs is not None else arguments


def gate_revisions(
    subject: Subject, base: str, arguments: Sequence[str], say: Callable[[str], None] = lambda _: None
) -> GateReport:
    """Compares HEAD, including uncommitted changes, with the merge base of HEAD and `base`.

    Args:
        subject: subject to judge.
        base: branch, tag or commit.
        arguments: arguments of `nocbench run`, as from :func:`run_arguments`.
        say: receives notes on the progress.

    Raises:
        InputError: no such revision, a revision that does not build, or a mistake in a policy.
    """
    checkout, policy = subject.checkout, subject.policy
    commit, has_changes = git.head_commit(checkout, subject.takes_part)
    base_commit = git.merge_base(checkout, base, "HEAD")
    policy_path = _path_in(subject)
    make_directory(subject.work)

    results: dict[str, Results] = {}
    revisions: dict[str, Revision] = {}
    for label, name, of_side in (("base", base, base_commit), ("head", "HEAD", commit)):
        say(f"{label}: {of_side[:12]} {git.subject(checkout, of_side)}")
        revisions[label] = subject.prepare(of_side, label, say)
        document = revisions[label].run(arguments)
        written = of_side[:12] if label == "base" or not has_changes else f"{git.commit_of(checkout, 'HEAD')[:12]}+"
        side = Side(label, name, written, git.subject(checkout, "HEAD" if label == "head" else of_side))
        rows = [row | {"revision": written} for row in document["rows"]]
        crashes = [_crash(crash) for crash in document["crashes"]]
        # Earlier revisions do not report the faults of data.
        folder = subject.usual_policy.parent
        faults = [fault_below(folder, fault) for fault in document.get("data_faults", ())]
        results[label] = Results(side, rows, crashes, faults)
    base_policy = policy if policy_path is None else subject.policy_of_base(policy_path, base_commit)
    report = judge(results["base"], results["head"], policy, base_policy=base_policy)
    report.notices += subject.changes(base_commit, commit)
    if has_changes:
        report.notices.append("the head has changes that are not committed")
        new = [name for name in git.untracked_files(checkout) if subject.takes_part(name)]
        if new:
            report.notices.append(f"the head has files that git does not know yet: {', '.join(shorten(new))}")
    report.first_difference = _first_difference(report, revisions, subject.work / TRACES, say)
    if policy_path is not None:
        report.changed_rules += changed_policy(checkout, base_commit, policy_path, base_policy, policy)
    if subject.baseline is not None:
        report.changed_rules += changed_baseline(checkout, base_commit, subject.baseline)
        if (checkout / subject.baseline).exists():
            run, accept = subject.accept_commands(arguments)
            report.accept_command = f"{run} && {accept}{accept_options(report, checkout / subject.baseline)}"
    return report


def accept_options(report: GateReport, baseline: Path) -> str:
    """Returns the options for `nocbench accept` to drop missing points, but keep those of tests that were not run."""
    if not report.count(Verdict.GONE):
        return ""
    words = ["--drop-missing"]
    rows = read_rows(baseline)
    for option, column in (("--test", "test"), ("--arch", "arch")):
        judged = {getattr(point, column) for point in report.verdicts}
        if {row[column] for row in rows} - judged:
            words += [word for name in sorted(judged) for word in (option, name)]
    return f" {shlex.join(words)}"


def _path_in(subject: Subject) -> Path | None:
    """Returns the path of the policy in the checkout, whether or not the file exists; None if it is outside."""
    name = subject.policy.name
    path = Path(name).resolve() if name else subject.checkout / subject.usual_policy
    return path.relative_to(subject.checkout) if path.is_relative_to(subject.checkout) else None


def _crash(crash: dict[str, object]) -> dict[str, object]:
    parameters = crash["parameters"]
    assert isinstance(parameters, dict)
    known = {name: crash[name] for name in ("arch", "board", "test", "reason") if crash[name]}
    if "num_transactions" in parameters:
        known["num_transactions"] = int(parameters["num_transactions"])
    return known


def _first_difference(
    report: GateReport, revisions: dict[str, Revision], directory: Path, say: Callable[[str], None]
) -> FirstDifference | None:
    """Traces the worst points on both sides. Returns the difference of the worst point whose traces differ."""
    shutil.rmtree(directory, ignore_errors=True)
    make_directory(directory)
    worst = [point for point in report.changed if point.changes]
    found: FirstDifference | None = None
    for number, point in enumerate(worst[:_MAX_POINTS_TRACED], start=1):
        say(f"tracing {point.describe()}")
        paths = {label: directory / f"{number}_{label}.json.gz" for label in revisions}
        arguments = [*point.arguments(), "--max-events", str(_MAX_TRACE_EVENTS)]
        is_traced = [revision.trace(arguments, paths[label]) for label, revision in revisions.items()]
        if all(is_traced) and found is None:
            found = first_difference(point, read_events(paths["base"]), read_events(paths["head"]))
    return found
