"""Notices about changes of the judging rules: of the policy and of the recorded baseline."""

from __future__ import annotations

import difflib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.gating import git
from nocbench.gating.model_changes import shorten
from nocbench.gating.revisions import file_of
from nocbench.gating.verdicts import LIMITER, METRICS
from nocbench.results.result_files import read_rows
from nocbench.support.columns import point_key
from nocbench.support.errors import InputError
from nocbench.support.input_files import read_text
from nocbench.support.units import plural

if TYPE_CHECKING:
    from nocbench.gating.policy import Policy

_PLACES = ("name", "place")
"""Fields of a policy that only give the place of its rules."""


def changed_policy(checkout: Path, base_commit: str, path: Path, base: Policy, head: Policy) -> list[str]:
    """Returns a notice, with the differing lines, if a change alters the policy by which it is judged.

    Args:
        checkout: the repository.
        base_commit: base commit of the comparison.
        path: path of the policy in the checkout.
        base: policy of the base; the default policy if the base has no file.
        head: policy of the head, which judges.
    """
    if _rules_of(base) == _rules_of(head):
        return []
    with file_of(checkout, base_commit, path) as copy:
        old = _lines_of(copy) if copy is not None else None
    new = _lines_of(checkout / path) if (checkout / path).is_file() else None
    if old is None or new is None:
        does = "adds" if old is None else "removes"
        return [f"judged by a policy that this change itself {does}: {path}"]
    differences = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    words = {"-": "was", "+": "is"}
    lines = [f"{words[line[0]]} '{line[1:]}'" for line in differences if line[0] in words]
    return [f"judged by a policy that this change itself changes: {path}: {', '.join(shorten(lines))}"]


def changed_baseline(checkout: Path, base_commit: str, path: Path) -> list[str]:
    """Describes how a change alters the recorded baseline at `path` in the checkout; empty if it does not."""
    with file_of(checkout, base_commit, path) as copy:
        if copy is None:
            return []
        if not (checkout / path).is_file():
            return [f"this change removes the recorded baseline {path}"]
        try:
            before, after = (_metrics_by_point(file) for file in (copy, checkout / path))
        except InputError as error:
            return [f"this change makes the recorded baseline {path} one that cannot be compared: {error}"]
    dropped = len(before.keys() - after.keys())
    added = len(after.keys() - before.keys())
    changed = sum(before[key] != after[key] for key in before.keys() & after.keys())
    counts = {"drops": dropped, "changes": changed, "adds": added}
    does = [f"{verb} {number}" for verb, number in counts.items() if number]
    return [f"of {plural(len(before), 'row')} of the recorded baseline {path}, this change {', '.join(does)}"] * bool(
        does
    )


def shrunken_baseline(path: Path) -> list[str]:
    """Returns a notice if a baseline has lost rows since git's HEAD; none outside of a repository."""
    try:
        top = Path(git.git_text(path.resolve().parent, "rev-parse", "--show-toplevel"))
        with file_of(top, "HEAD", path.resolve().relative_to(top)) as copy:
            before = {} if copy is None else _metrics_by_point(copy)
        after = _metrics_by_point(path)
    except (InputError, ValueError):
        return []
    num_dropped = len(before.keys() - after.keys())
    lost = f"the baseline {path} has lost {num_dropped} of the {plural(len(before), 'row')} that it has in git's HEAD"
    return [lost] if num_dropped else []


def _metrics_by_point(path: Path) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    return {point_key(row): tuple(row[metric] for metric in (*METRICS, LIMITER)) for row in read_rows(path)}


def _rules_of(policy: Policy) -> object:
    return _without_places(asdict(policy))


def _without_places(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_places(item) for key, item in value.items() if key not in _PLACES}
    if isinstance(value, (list, tuple)):
        return [_without_places(item) for item in value]
    return value


def _lines_of(path: Path) -> list[str]:
    """Returns the lines of a policy that are neither empty nor comments."""
    lines = (line.strip() for line in read_text(path, "a policy").splitlines())
    return [line for line in lines if line and not line.startswith("#")]
