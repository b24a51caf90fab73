"""Calls of git."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError
from nocbench.support.sources import takes_part

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def git_bytes(directory: Path, *arguments: str, index: Path | None = None) -> bytes:
    """Returns the output of git, which uses the given index instead of the checkout's.

    Raises InputError with git's message.
    """
    try:
        completed = subprocess.run(  # noqa: S603 - fixed program, no shell
            ["git", "-C", str(directory), *arguments],  # noqa: S607 - git from PATH
            capture_output=True,
            check=False,
            env=None if index is None else os.environ | {"GIT_INDEX_FILE": str(index)},
        )
    except OSError as error:
        raise InputError(f"git: cannot be run: {error.strerror}") from None
    if completed.returncode != 0:
        words = completed.stderr.decode(errors="replace").strip()
        raise InputError(f"git {' '.join(arguments)}: {words or f'exit status {completed.returncode}'}")
    return completed.stdout


def git_text(directory: Path, *arguments: str, index: Path | None = None) -> str:
    """Returns the output of git as text, without final line ends."""
    return git_bytes(directory, *arguments, index=index).decode(errors="replace").rstrip("\n")


def git_files(directory: Path, tree: str, names: Sequence[str] = ()) -> dict[str, bytes]:
    """Returns the files of a commit or folder ("COMMIT:FOLDER"), or only those named, as path to content."""
    archive = git_bytes(directory, "archive", "--format=tar", tree, "--", *names)
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() else None
            if content is not None:
                files[member.name] = content.read()
    return files


def find_checkout(directory: Path) -> Path:
    """Returns the checkout of nocbench around a directory.

    Raises:
        InputError: the directory is in no checkout.
    """
    try:
        top = Path(git_text(directory, "rev-parse", "--show-toplevel"))
    except InputError:
        raise InputError(f"{directory}: expected a directory in a git checkout of nocbench, found none") from None
    if not (top / "device_model" / "archs").is_dir() or not (top / "scripts" / "nocbench").is_dir():
        raise InputError(f"{top}: expected a checkout of nocbench, found no device_model/archs or scripts/nocbench")
    return top


def find_repository(directory: Path) -> Path:
    """Returns the top of the repository around a directory.

    Raises:
        InputError: the directory is in no repository.
    """
    try:
        return Path(git_text(directory, "rev-parse", "--show-toplevel"))
    except InputError:
        raise InputError(
            f"{directory}: expected a folder in a git repository, found none; 'git init' makes one"
        ) from None


def unpack(checkout: Path, commit: str, target: Path) -> None:
    """Writes all files of a commit to a folder. Raises InputError if git fails."""
    with tempfile.TemporaryDirectory() as directory:
        index = Path(directory) / "index"
        git_text(checkout, "read-tree", commit, index=index)
        git_text(checkout, "checkout-index", "--all", f"--prefix={target.absolute()}/", index=index)


def merge_base(checkout: Path, base: str, head: str) -> str:
    """Returns the commit where the history of `head` left that of `base`."""
    for revision in (base, head):
        try:
            git_text(checkout, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        except InputError:
            raise InputError(f"--base: no revision is called '{revision}'{_shallow_hint(checkout)}") from None
    try:
        return git_text(checkout, "merge-base", base, head)
    except InputError:
        raise InputError(f"'{base}' and '{head}' have no common history{_shallow_hint(checkout)}") from None


def head_commit(checkout: Path, takes_part: Callable[[str], bool] = takes_part) -> tuple[str, bool]:
    """Returns the commit to judge, and True if it contains uncommitted changes.

    Changes of tracked files, and untracked files on which results depend, go into a new commit without a branch. The
    checkout and its index stay unchanged.

    Args:
        checkout: the repository.
        takes_part: function that returns True for the path of a file on which results depend.
    """
    head = commit_of(checkout, "HEAD")
    with tempfile.TemporaryDirectory() as directory:
        index = Path(directory) / "index"
        own = Path(git_text(checkout, "rev-parse", "--path-format=absolute", "--git-path", "index"))
        if own.exists():  # a copy of the index spares git from reading all files
            # Keep the index's time: git reads files again that are not older than the index.
            shutil.copy2(own, index)
        else:
            git_text(checkout, "read-tree", "HEAD", index=index)
        git_text(checkout, "add", "--update", "--", ":/", index=index)
        new = [name for name in untracked_files(checkout) if takes_part(name)]
        if new:
            git_text(checkout, "add", "--", *(f":(top,literal){name}" for name in new), index=index)
        tree = git_text(checkout, "write-tree", index=index)
    if tree == git_text(checkout, "rev-parse", "HEAD^{tree}"):
        return head, False
    # Name an author: machines of CI have none configured.
    nobody = ("-c", "user.name=nocbench", "-c", "user.email=nocbench@localhost")
    return git_text(checkout, *nobody, "commit-tree", tree, "-p", head, "-m", "uncommitted changes"), True


def untracked_files(checkout: Path) -> list[str]:
    """Returns the paths in the repository of files that git neither tracks nor ignores."""
    names = git_text(checkout, "ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":/")
    return [name for name in names.split("\0") if name]


def commit_of(checkout: Path, revision: str) -> str:
    """Returns the full hash of a revision."""
    return git_text(checkout, "rev-parse", revision)


def subject(checkout: Path, commit: str) -> str:
    """Returns the first line of a commit's message."""
    return git_text(checkout, "log", "-1", "--format=%s", commit)


def _shallow_hint(checkout: Path) -> str:
    is_shallow = git_text(checkout, "rev-parse", "--is-shallow-repository") == "true"
    return "; this clone is shallow: fetch the whole history (actions/checkout: fetch-depth: 0)" if is_shallow else ""


def commit_date(checkout: Path, revision: str) -> str:
    """Returns the day of a commit, "2026-11-28". Raises InputError if there is no such commit."""
    return git_text(checkout, "show", "--no-patch", "--format=%cs", revision).strip()
