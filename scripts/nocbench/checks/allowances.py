"""Comments in kernels that silence a finding: `// nocbench: allow racecheck REASON`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.checks.choice import NAMES
from nocbench.checks.findings import findings_of
from nocbench.programs.own_files import OwnFiles
from nocbench.support.errors import InputError, Mistakes, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from nocbench.checks.findings import Finding
    from nocbench.programs.execution import CheckedProgram

_COMMENT = re.compile(r"(?://|#|/\*)\s*nocbench:\s*allow\b\s*(?P<check>\S*)\s*(?P<reason>.*?)\s*(?:\*/)?\s*$")


@dataclass(frozen=True, slots=True)
class Allowance:
    """A comment that silences the findings of a check at its line.

    Attributes:
        file, line: place of the comment.
        check: name of the check.
        reason: why the finding does no harm.
    """

    file: str
    line: int
    check: str
    reason: str

    def fits(self, finding: Finding) -> bool:
        """Returns True if it silences a finding."""
        places = [(access.file, access.line) for access in (finding.first, finding.second) if access is not None]
        return finding.check == self.check and (self.file, self.line) in places

    def describe(self) -> str:
        """Returns the allowance in words."""
        return f"{Path(self.file).name}:{self.line}: {self.check}: allowed: {self.reason}"


def judged(programs: Sequence[CheckedProgram], checks: Collection[str]) -> tuple[list[Finding], list[Allowance]]:
    """Returns the findings of runs that no comment silences, and the comments that silence some.

    Args:
        programs: the runs, of programs that may share sources. A finding of several is returned once.
        checks: names of the checks of the run.

    Raises:
        InputError: a comment without a check or reason, or one that silences nothing; the message lists all.
    """
    if not checks:
        return [], []
    allowances = list(_allowances(programs))
    found = (finding for checked in programs for finding in findings_of(checked))
    findings = list({"\n".join(finding.lines()): finding for finding in found}.values())
    used = [one for one in allowances if any(one.fits(finding) for finding in findings)]
    mistakes = Mistakes()
    for one in allowances:
        if one not in used and one.check in checks:
            mistakes.note(
                f"{one.file}:{one.line}: expected a finding of {one.check} at this line, which it allows, found none"
            )
    mistakes.complain()
    return [finding for finding in findings if not any(one.fits(finding) for one in used)], used


def _allowances(programs: Sequence[CheckedProgram]) -> Iterator[Allowance]:
    own = OwnFiles()
    files = {
        own.path_of(frame.file)
        for checked in programs
        for source_map in checked.source_maps.values()
        for _, chain in source_map
        for frame in chain
        if own.has(frame)
    }
    mistakes = Mistakes()
    found = []
    for file in sorted(files):
        for number, line in enumerate(_lines(file), 1):
            match = _COMMENT.search(line)
            if match is None:
                continue
            with mistakes.noted():
                found.append(_allowance(file, number, match["check"], match["reason"]))
    mistakes.complain()
    yield from found


def _allowance(file: str, line: int, check: str, reason: str) -> Allowance:
    where = f"{file}:{line}"
    if check not in NAMES:
        raise InputError(
            f"{where}: nocbench: allow: expected one of {', '.join(NAMES)}, found '{check}'{did_you_mean(check, NAMES)}"
        )
    if not reason:
        raise InputError(f"{where}: nocbench: allow {check}: expected a reason behind it, found none")
    return Allowance(file, line, check, reason)


def _lines(file: str) -> list[str]:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
