"""Extension modules of revisions: one build for each state of the C++ sources without comments."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from nocbench import extension
from nocbench.gating.git import git_files, git_text
from nocbench.support.atomic_files import atomic_path
from nocbench.support.errors import InputError
from nocbench.support.sources import fingerprint, is_source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_EXTENSION = "_core.*.so"
_LAST_LINES_SHOWN = 20


def source_fingerprint(checkout: Path, commit: str) -> str:
    """Returns the fingerprint that an extension module built from a commit reports."""
    names = git_text(checkout, "ls-tree", "-r", "--name-only", "-z", commit).split("\0")
    return fingerprint(git_files(checkout, commit, [name for name in names if name and is_source(name)]))


def find_or_build(checkout: Path, commit: str, directory: Path, say: Callable[[str], None]) -> Path:
    """Returns the extension module of a commit: the running or an earlier build of equal sources, or a new one.

    Args:
        checkout: the repository.
        commit: commit of the repository.
        directory: folder of modules and builds.
        say: receives notes on slow steps.

    Raises:
        InputError: the build fails; the message contains the end of the compiler's output.
    """
    sources = source_fingerprint(checkout, commit)
    if sources == extension.source_fingerprint():
        return extension.extension_file()
    kept = directory / "extensions" / sources
    for built in kept.glob(_EXTENSION):
        return built
    say(f"building the simulator of {commit[:12]}: its C++ sources differ from those of the one that is installed")
    built = _build(checkout, commit, directory)
    kept.mkdir(parents=True, exist_ok=True)
    with atomic_path(kept / built.name) as temporary:
        shutil.copyfile(built, temporary)
    return kept / built.name


def _build(checkout: Path, commit: str, directory: Path) -> Path:
    source, build = directory / "source", directory / "build"
    # Keep the work tree, so that the compiler only compiles files that differ from the last revision.
    if (source / ".git").exists():
        git_text(source, "checkout", "--quiet", "--force", "--detach", commit)
    else:
        git_text(checkout, "worktree", "prune")
        git_text(checkout, "worktree", "add", "--quiet", "--force", "--detach", str(source), commit)
    log = directory / "build.log"
    with log.open("wb") as output:
        for command in (
            [
                *("cmake", "-S", str(source), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
                *("-DNOCBENCH_TESTS=OFF", "-DNOCBENCH_BENCHMARKS=OFF", f"-DPython_EXECUTABLE={sys.executable}"),
            ],
            ["cmake", "--build", str(build), "--target", "_core", "--parallel", str(os.cpu_count() or 1)],
        ):
            try:
                status = subprocess.run(command, stdout=output, stderr=output, check=False).returncode  # noqa: S603
            except OSError as error:
                raise InputError(f"{command[0]}: cannot be run: {error.strerror}") from None
            if status != 0:
                last = log.read_text(errors="replace").splitlines()[-_LAST_LINES_SHOWN:]
                raise InputError(
                    "\n".join([f"the simulator of {commit[:12]} does not build; the end of {log}:", *last])
                )
    return next((build / "bindings").glob(_EXTENSION))
