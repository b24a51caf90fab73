"""A suite as subject of the gate, compared with the merge base in the user's repository."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.gating import git
from nocbench.gating.model_changes import shorten
from nocbench.gating.policy import read_policy
from nocbench.gating.revisions import Revision
from nocbench.gating.run import CheckoutSubject
from nocbench.gating.sides import MissingBaselineError
from nocbench.suites.suite import Suite
from nocbench.suites.suite_file import SUITE_FILE
from nocbench.support.atomic_files import make_directory, write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nocbench.gating.policy import Policy
    from nocbench.gating.run import Subject

WORK = ".nocbench"
"""Name of the folder, below that of a suite, for the gate's files; ignored by git."""


def subject_of(suite: Suite | None, policy_file: Path | None) -> Subject:
    """Returns the subject of a gate: a suite, or the checkout of nocbench that this directory is in.

    Raises:
        InputError: as for the subjects.
    """
    return CheckoutSubject(Path(), policy_file) if suite is None else SuiteSubject(suite, policy_file)


class SuiteSubject:
    """A suite in its repository; see :class:`nocbench.gating.run.Subject`."""

    def __init__(self, suite: Suite, policy_file: Path | None) -> None:
        """Finds the repository of a suite. Takes the policy from the file, else from the suite.

        Raises:
            InputError: the folder is in no repository, or the file is no policy.
        """
        self._suite = suite
        directory = suite.directory.resolve()
        self.checkout = git.find_repository(directory).resolve()
        self._place = directory.relative_to(self.checkout)
        self.work = suite.directory / WORK / "gate"
        self.policy = suite.description.policy if policy_file is None else read_policy(policy_file)
        self.usual_policy = self._place / SUITE_FILE
        baseline = suite.description.baseline.resolve()
        self.baseline = baseline.relative_to(self.checkout) if baseline.is_relative_to(self.checkout) else None
        self._sides: dict[str, Suite] = {}

    def takes_part(self, name: str) -> bool:
        """Returns True if the file is one of the suite's sources."""
        return (self.checkout / name) in {file.resolve() for file in self._suite.files}

    def prepare(self, commit: str, label: str, say: Callable[[str], None]) -> Revision:  # noqa: ARG002 - quick
        """Unpacks the whole commit, since kernels may include any of its files.

        Raises:
            InputError: mistakes in the suite of that commit.
            MissingBaselineError: the commit has no suite.
        """
        make_directory(self.work.parent)
        write_text(self.work.parent / ".gitignore", "*\n")
        tree = self.work / label
        shutil.rmtree(tree, ignore_errors=True)
        git.unpack(self.checkout, commit, tree)
        directory = tree / self._place
        if not (directory / SUITE_FILE).is_file():
            raise MissingBaselineError(
                f"{commit[:12]}: expected {self._place / SUITE_FILE} in this commit, found none: there is nothing to "
                "compare with"
            )
        self._sides[label] = Suite(str(directory))
        return Revision(commit, Path(sys.executable), ("--suite", str(directory)))

    def policy_of_base(self, path: Path, commit: str) -> Policy:  # noqa: ARG002 - already unpacked
        """Returns the policy of the base suite if the head uses its own; else that in the base's copy of the file."""
        if self.policy is self._suite.description.policy:
            return self._sides["base"].description.policy
        file = self.work / "base" / path
        return read_policy(file) if file.is_file() else self.policy

    def changes(self, base_commit: str, commit: str) -> list[str]:  # noqa: ARG002 - already unpacked
        """Returns a notice with the files of the suite that differ."""
        contents: list[dict[str, bytes]] = []
        for label in ("base", "head"):
            tree = (self.work / label).absolute()
            contents.append({os.path.relpath(path, tree): path.read_bytes() for path in self._sides[label].files})
        names = sorted({*contents[0], *contents[1]})
        changed = [name for name in names if contents[0].get(name) != contents[1].get(name)]
        return [f"changed files of the suite: {', '.join(shorten(changed))}"] if changed else []

    def accept_commands(self, run_arguments: Sequence[str]) -> tuple[str, str]:
        """See :meth:`nocbench.gating.run.Subject.accept_commands`."""
        suite = ["--suite", self._suite.folder]
        run = shlex.join(["nocbench", "run", *suite, *run_arguments, "-o", "results.csv"])
        return run, f"{shlex.join(['nocbench', 'accept', *suite, 'results.csv'])} --reason '...'"
