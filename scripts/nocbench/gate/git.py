"""What the gate asks of git."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


def git_bytes(directory: Path, *arguments: str) -> bytes:
    """What git prints. Raises InputError with git's own words if it fails."""
    try:
        completed = subprocess.run(  # noqa: S603 - arguments of our own
            ["git", "-C", str(directory), *arguments],  # noqa: S607 - the git of the PATH
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise InputError(f"git: cannot be run: {error.strerror}") from None
    if completed.returncode != 0:
        words = completed.stderr.decode(errors="replace").strip()
        raise InputError(f"git {' '.join(arguments)}: {words or f'exit status {completed.returncode}'}")
    return completed.stdout


def git_text(directory: Path, *arguments: str) -> str:
    """The same as text, without the last line end."""
    return git_bytes(directory, *arguments).decode(errors="replace").rstrip("\n")


def git_files(directory: Path, tree: str, names: Sequence[str] = ()) -> dict[str, bytes]:
    """The content of the files of a commit or of a folder in it ("COMMIT:FOLDER"), by path; of some only, if named."""
    archive = git_bytes(directory, "archive", "--format=tar", tree, "--", *names)
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() else None
            if content is not None:
                files[member.name] = content.read()
    return files


def find_checkout(directory: Path) -> Path:
    """The checkout of nocbench that a directory is in.

    Raises:
        InputError: it is in none.
    """
    try:
        top = Path(git_text(directory, "rev-parse", "--show-toplevel"))
    except InputError:
        raise InputError(f"{directory}: expected a directory in a git checkout of nocbench, found none") from None
    if not (top / "device_model" / "archs").is_dir() or not (top / "scripts" / "nocbench").is_dir():
        raise InputError(f"{top}: expected a checkout of nocbench, found no device_model/archs or scripts/nocbench")
    return top


def merge_base(checkout: Path, base: str, head: str) -> str:
    """The commit where the history of `head` left that of `base`.

    Raises:
        InputError: no such revision, or no common history.
    """
    for revision in (base, head):
        try:
            git_text(checkout, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        except InputError:
            raise InputError(f"--base: no revision is called '{revision}'{_shallow_hint(checkout)}") from None
    try:
        return git_text(checkout, "merge-base", base, head)
    except InputError:
        raise InputError(f"'{base}' and '{head}' have no common history{_shallow_hint(checkout)}") from None


def head_commit(checkout: Path) -> tuple[str, bool]:
    """The commit to judge, and whether it holds changes that are not committed.

    Changes of files that git knows are put into a commit that no branch has.
    """
    # Whoever has told git no name, as on machines of CI, needs none for this either.
    nobody = ("-c", "user.name=nocbench", "-c", "user.email=nocbench@localhost")
    with_changes = git_text(checkout, *nobody, "stash", "create", "uncommitted changes")
    return (with_changes, True) if with_changes else (commit_of(checkout, "HEAD"), False)


def commit_of(checkout: Path, revision: str) -> str:
    """The full name of a commit."""
    return git_text(checkout, "rev-parse", revision)


def subject(checkout: Path, commit: str) -> str:
    """The first line of a commit's message."""
    return git_text(checkout, "log", "-1", "--format=%s", commit)


def _shallow_hint(checkout: Path) -> str:
    is_shallow = git_text(checkout, "rev-parse", "--is-shallow-repository") == "true"
    return "; this clone is shallow: fetch the whole history (actions/checkout: fetch-depth: 0)" if is_shallow else ""
