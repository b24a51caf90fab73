"""Revisions that run side by side, each with its own package, constants and simulator."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.compiling import pinned_toolchain
from nocbench.gating.extensions import find_or_build
from nocbench.gating.git import git_bytes, git_files, git_text
from nocbench.support.errors import InputError
from nocbench.support.exit_status import ExitStatus
from nocbench.support.package import PACKAGE
from nocbench.support.sources import is_suite_kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_PACKAGE = "scripts/nocbench"
_PARTS = {
    _PACKAGE: "nocbench",
    "device_model/archs": "nocbench/archs",
    "plots/reference": "nocbench/reference",
    "kernels/device": "nocbench/device",
}
"""Folders of the repository, with their paths in a package outside of a checkout."""
_SUITE_KERNELS = "nocbench/suite"
"""Folder of the suite's own kernels in a package outside of a checkout; below it, paths are those in the repository."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision that is ready to run.

    Attributes:
        commit: commit of the repository.
        python: interpreter that imports this revision's nocbench, and all other packages of the running interpreter.
        options: options for all commands.
        toolchain: folder of the compiler for kernels; None: the revision's default.
    """

    commit: str
    python: Path
    options: tuple[str, ...] = ()
    toolchain: Path | None = None

    def run(self, arguments: Sequence[str]) -> dict[str, Any]:
        """Runs tests with the arguments of `nocbench run`. Returns the JSON document, with "rows" and "crashes".

        Raises:
            InputError: the run did not begin.
        """
        completed = self._nocbench("run", "--json", *self.options, *arguments)
        if completed.returncode not in (ExitStatus.FINE, ExitStatus.NEGATIVE_VERDICT, ExitStatus.INCOMPLETE):
            raise InputError(f"{self.commit[:12]}: nocbench run failed: {completed.stderr.strip()}")
        try:
            document: dict[str, Any] = json.loads(completed.stdout)
        except ValueError:
            raise InputError(f"{self.commit[:12]}: nocbench run gave no results: {completed.stderr.strip()}") from None
        return document

    def trace(self, arguments: Sequence[str], path: Path) -> bool:
        """Writes a trace, with the arguments of `nocbench trace`. Returns True on success."""
        return self._nocbench("trace", *self.options, *arguments, "-o", str(path)).returncode in (
            ExitStatus.FINE,
            ExitStatus.NEGATIVE_VERDICT,  # wrong data arrived, but the trace exists
        )

    def _nocbench(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        if self.toolchain is not None:
            environment[pinned_toolchain.VARIABLE] = str(self.toolchain)
        return subprocess.run(  # noqa: S603 - nocbench itself
            [str(self.python), "-P", "-m", "nocbench", *arguments],  # -P: ignore packages in this folder
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )


def prepare(checkout: Path, commit: str, name: str, directory: Path, say: Callable[[str], None]) -> Revision:
    """Makes a revision runnable.

    Args:
        checkout: the repository.
        commit: commit of the repository.
        name: "base" or "head": name of the revision's folder.
        directory: parent of the revision's folder.
        say: receives notes on slow steps.

    Raises:
        InputError: the revision does not build, or has no package.
    """
    extension = find_or_build(checkout, commit, directory, say)
    home = directory / name
    shutil.rmtree(home, ignore_errors=True)
    package = package_of(directory, name)
    _unpack(checkout, commit, package.parent)
    shutil.copyfile(extension, package / extension.name)
    environment = home / "environment"
    venv.create(environment, symlinks=True)
    site = environment / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    # Python searches the folders named here without reading their .pth files, so this revision's package comes first.
    others = dict.fromkeys(sysconfig.get_path(part) for part in ("purelib", "platlib"))
    inherited = [*others, *(entry for entry in sys.path if entry.endswith("site-packages"))]
    (site / "nocbench_gate.pth").write_text("\n".join([str(package.parent), *dict.fromkeys(inherited)]) + "\n")
    return Revision(commit, environment / "bin" / "python", toolchain=_toolchain(package))


def _toolchain(package: Path) -> Path | None:
    """Returns the compiler that this checkout has fetched if the revision pins the same one, else None."""
    lock = package / pinned_toolchain.LOCK.relative_to(PACKAGE)
    try:
        is_same = lock.read_bytes() == pinned_toolchain.LOCK.read_bytes()
    except FileNotFoundError:
        is_same = False
    return pinned_toolchain.pinned_folder() if is_same else None


def package_of(directory: Path, name: str) -> Path:
    """Returns the folder of a revision's package, which :func:`prepare` fills."""
    return directory / name / "packages" / "nocbench"


def _unpack(checkout: Path, commit: str, target: Path) -> None:
    for source, place in _PARTS.items():
        try:
            files = git_files(checkout, f"{commit}:{source}")
        except InputError:
            if source == _PACKAGE:
                raise InputError(f"{commit[:12]}: expected {source} in this revision, found none") from None
            continue
        _write(files, target / place)
    names = git_text(checkout, "ls-tree", "-r", "--name-only", "-z", commit).split("\0")
    if kernels := [name for name in names if is_suite_kernel(name)]:
        _write(git_files(checkout, commit, kernels), target / _SUITE_KERNELS)


def _write(files: Mapping[str, bytes], directory: Path) -> None:
    for name, content in files.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


@contextlib.contextmanager
def file_of(checkout: Path, commit: str, path: Path) -> Iterator[Path | None]:
    """Provides a copy of a file of a commit; None if the commit has no such file."""
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / path.name
        try:
            copy.write_bytes(git_bytes(checkout, "show", f"{commit}:{path.as_posix()}"))
        except InputError:
            yield None
        else:
            yield copy
