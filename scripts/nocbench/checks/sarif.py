"""Findings as SARIF 2.1.0, the format of code scanning on GitHub.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.checks.choice import MEANINGS
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.checks.findings import Access, Finding

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(findings: Sequence[Finding], root: Path) -> str:
    """Returns findings as SARIF, with paths from the root of a repository.

    Raises:
        InputError: a finding is at a file outside of it.
    """
    results = [_result(finding, root) for finding in findings]
    rules = [{"id": name, "shortDescription": {"text": meaning}} for name, meaning in MEANINGS.items()]
    run = {"tool": {"driver": {"name": "nocbench", "rules": rules}}, "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def repository_of(folder: Path) -> Path:
    """Returns the root of the repository that a folder is in. Raises InputError if it is in none."""
    resolved = folder.resolve()
    for directory in (resolved, *resolved.parents):
        if (directory / ".git").exists():
            return directory
    raise InputError(
        f"--sarif: expected {folder} in a repository of git, since a code review shows paths from its root, found it in"
        " none"
    )


def _result(finding: Finding, root: Path) -> dict[str, Any]:
    lines = list(finding.lines())
    text = "\n".join([f"{finding.kind[0].upper()}{finding.kind[1:]}.", *(line.strip() for line in lines[1:])])
    result: dict[str, Any] = {
        "ruleId": finding.check,
        "level": "error",
        "message": {"text": text},
        "locations": [_location(finding.second, root)] if finding.second.file else [],
    }
    if finding.first is not None and finding.first.file:
        result["relatedLocations"] = [_location(finding.first, root) | {"message": {"text": finding.first.describe()}}]
    return result


def _location(access: Access, root: Path) -> dict[str, Any]:
    file = Path(access.file).resolve()
    if not file.is_relative_to(root):
        raise InputError(f"--sarif: expected sources within the repository {root}, found {file}")
    artifact = {"uri": file.relative_to(root).as_posix()}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": access.line}}}
