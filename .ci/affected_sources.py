#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names the C++ sources to analyze: those that changed, and a part of those that include what changed.

Usage: .ci/affected_sources.py [--all]

Of each changed header one source that includes it is among them, and of the other sources that include what changed
as many as MOST_UNCHANGED, which the commit decides: an analysis of all takes longer than all tests.

Prints their paths from the root of the repository, the largest first, one a line, and to standard error what was taken
as changed: the work tree against the commit where this work left the main branch. That is the merge base with $CI_BASE,
or else with the branch's upstream (origin's main branch where it has none). Where HEAD is that very commit, as in a
clone, everything since the newest commit that is at least a day older than HEAD counts as changed. All sources count as
including what changed after a change of what decides how each of them is analyzed, and where no such commit is found.
With --all, all sources are printed.

Exit status: 0; 1 a command of git failed; 2 bad usage.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
# Checks, their version, and options of the compiler.
DECIDES_FOR_ALL = re.compile(
    r"(.*/)?(\.clang-tidy|CMakeLists\.txt|CMakePresets\.json)|cmake/.*|scripts/requirements-lint\.txt"
)
MOST_UNCHANGED = 40
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


def find_includers(sources: list[str]) -> dict[str, set[str]]:
    """Finds the sources that include a file themselves, by the path of the file."""
    included_by: dict[str, set[str]] = {}
    for source in sources:
        for name in INCLUDE.findall((ROOT / source).read_text(encoding="utf-8", errors="replace")):
            # From the root, or beside the file. A header that is gone counts, too.
            beside = os.path.normpath(PurePosixPath(source).parent / name)
            for path in (os.path.normpath(name), beside):
                included_by.setdefault(path, set()).add(source)
    return included_by


def reach(path: str, included_by: dict[str, set[str]]) -> set[str]:
    """Gives a file, and what includes it, directly or through other headers."""
    reached: set[str] = set()
    waiting = {path}
    while waiting:
        path = waiting.pop()
        reached.add(path)
        waiting |= included_by.get(path, set()) - reached
    return reached


def choose(units: set[str], changed: set[str], included_by: dict[str, set[str]], *, all_affected: bool) -> set[str]:
    """Picks the `units` to analyze, as described at the top."""
    commit = git("rev-parse", "HEAD") or ""

    def in_drawn_order(paths: set[str]) -> list[str]:
        return sorted(paths, key=lambda path: hashlib.sha256(f"{commit}{path}".encode()).digest())

    chosen = units & changed
    affected = set(units) if all_affected else set(chosen)
    for path in sorted(changed):
        users = reach(path, included_by) & units
        if users and not users & chosen:
            chosen.add(in_drawn_order(users)[0])
        affected |= users
    return chosen | set(in_drawn_order(affected - chosen)[:MOST_UNCHANGED])


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
        chosen, why = units, "all, as was asked for"
    elif base is None:
        chosen, why = choose(units, set(), {}, all_affected=True), "no commit was found to compare with"
    else:
        # Both names of what was moved.
        changed = set(lines("diff", "--name-only", "--no-renames", "-z", base[0]))
        changed |= set(lines("ls-files", "-z", "--others", "--exclude-standard"))
        for_all = sorted(path for path in changed if DECIDES_FOR_ALL.fullmatch(path))
        chosen = choose(units, changed, find_includers(sources), all_affected=bool(for_all))
        what = f"{for_all[0]} and others" if for_all else "what they contain"
        why = f"{what} changed after {base[0][:12]} ({base[1]})"
    print(f"affected_sources: {len(chosen)} of {len(units)} sources: {why}", file=sys.stderr)
    for path in sorted(chosen, key=lambda path: (-(ROOT / path).stat().st_size, path)):
        print(path)


if __name__ == "__main__":
    main()
