#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which C++ sources are affected by what has changed: those that changed, and those that include what changed.

Usage: .ci/affected_sources.py [--all]

Prints their paths from the root of the repository, the largest first, one a line, and to standard error what was taken
as changed: the work tree against the commit where this work left the main branch. That is the merge base with $CI_BASE,
or else with the branch's upstream (origin's main branch where it has none). Where HEAD is that very commit, as in a
clone, everything since the newest commit that is at least a day older than HEAD counts as changed. All sources are
printed with --all, where no such commit is found, and after a change of what decides how each of them is analyzed.

Exit status: 0; 1 a command of git failed; 2 bad usage.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
# Checks, their version, options of the compiler, and this choice itself.
DECIDES_FOR_ALL = re.compile(
    r"(.*/)?(\.clang-tidy|CMakeLists\.txt|CMakePresets\.json)|cmake/.*"
    r"|\.ci/(run|affected_sources\.py)|scripts/requirements-lint\.txt"
)
SOURCES = ("*.cpp", "*.h", "*.inl")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
# They are for another processor: no compiler of the host understands them.
DEVICE_KERNELS = re.compile(r"(examples|tests/(device_kernels|host_suite|shmem_programs))/|.*/kernels/device/")
SECONDS_PER_DAY = 86_400


def git(*arguments: str) -> str | None:
    """Runs git and gives what it prints, or None if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout if done.returncode == 0 else None


def lines(*arguments: str) -> list[str]:
    """Runs git and cuts what it prints at zero bytes.

    Raises:
        SystemExit: It failed.
    """
    printed = git(*arguments)
    if printed is None:
        sys.exit(f"affected_sources: git {' '.join(arguments)} failed")
    return [line for line in printed.split("\0") if line]


def find_base() -> tuple[str, str] | None:
    """The commit to compare with, and in words how it was found; None if there is none."""
    if os.environ.get("CI_BASE"):
        named = os.environ["CI_BASE"]
        base = (git("merge-base", named, "HEAD") or "").strip()
        return (base, f"the merge base with {named}") if base else None
    head = (git("rev-parse", "HEAD") or "").strip()
    for name in ("@{upstream}", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"):
        base = (git("merge-base", name, "HEAD") or "").strip()
        if base == head:
            break
        if base:
            return base, f"the merge base with {name}"
    committed_s = int((git("show", "--no-patch", "--format=%ct", "HEAD") or "0").strip())
    older = git("rev-list", "--max-count=1", f"--before={committed_s - SECONDS_PER_DAY}", "HEAD")
    if not older or not older.strip():
        return None
    return older.strip(), "the newest commit at least a day older than HEAD"


def find_affected(sources: list[str], changed: set[str]) -> set[str]:
    """Picks the `sources` that changed, and those that include what did, directly or through other headers."""
    included_by: dict[str, set[str]] = {}
    for source in sources:
        for name in INCLUDE.findall((ROOT / source).read_text(encoding="utf-8", errors="replace")):
            # From the root, or beside the file. A header that is gone counts, too.
            beside = os.path.normpath(PurePosixPath(source).parent / name)
            for path in (os.path.normpath(name), beside):
                included_by.setdefault(path, set()).add(source)
    affected: set[str] = set()
    waiting = set(changed)
    while waiting:
        path = waiting.pop()
        affected.add(path)
        waiting |= included_by.get(path, set()) - affected
    return affected & set(sources)


def main() -> None:
    """Prints the affected sources."""
    arguments = sys.argv[1:]
    if arguments not in ([], ["--all"]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sources = lines("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *SOURCES)
    sources = sorted(source for source in set(sources) if (ROOT / source).is_file())
    units = {source for source in sources if source.endswith(".cpp") and not DEVICE_KERNELS.match(source)}

    base = None if arguments else find_base()
    if arguments:
        affected, why = units, "all, as was asked for"
    elif base is None:
        affected, why = units, "all, since no commit was found to compare with"
    else:
        # Both names of what was moved.
        changed = set(lines("diff", "--name-only", "--no-renames", "-z", base[0]))
        changed |= set(lines("ls-files", "-z", "--others", "--exclude-standard"))
        commit = f"{base[0][:12]} ({base[1]})"
        for_all = sorted(path for path in changed if DECIDES_FOR_ALL.fullmatch(path))
        if for_all:
            affected, why = units, f"all, since {for_all[0]} changed after {commit}"
        else:
            affected = find_affected(sources, changed) & units
            why = f"affected by what changed after {commit}"
    print(f"affected_sources: {len(affected)} of {len(units)} sources: {why}", file=sys.stderr)
    for path in sorted(affected, key=lambda path: (-(ROOT / path).stat().st_size, path)):
        print(path)


if __name__ == "__main__":
    main()
