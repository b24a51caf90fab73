from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from nocbench.support import device_files, revision
from nocbench.support.sources import is_source, is_suite_kernel, takes_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import ModuleType


@pytest.fixture
def scratch_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@b", *arguments],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )

    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "device_model" / "archs").mkdir(parents=True)
    package = tmp_path / "scripts" / "nocbench"
    package.mkdir(parents=True)
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "README.md").touch()
    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    for module in (revision, device_files):
        monkeypatch.setattr(module, "PACKAGE", package)
    revision.revision.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Clears caches, so that other tests do not see these revisions."""
    revision.revision.cache_clear()
    yield
    revision.revision.cache_clear()


def commit_of(directory: Path) -> str:
    return subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], cwd=directory, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_the_commit_of_the_checkout(scratch_checkout: Path) -> None:
    assert revision.checkout() == scratch_checkout
    assert revision.revision() == commit_of(scratch_checkout)
    assert len(revision.revision()) == 12


def test_changes_show_but_for_pages_and_new_files(scratch_checkout: Path) -> None:
    commit = commit_of(scratch_checkout)
    (scratch_checkout / "plots" / "README.md").write_text("changed")
    (scratch_checkout / "new").touch()
    assert revision.revision() == commit
    revision.revision.cache_clear()
    (scratch_checkout / "pyproject.toml").write_text("changed")
    assert revision.revision() == f"{commit}+"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("new_primitive/definition.cpp", True),
        ("new_primitive/kernels/mover.cpp", True),
        ("device_model/archs/mine.yaml", True),
        ("scripts/nocbench/mine.py", True),
        ("new_primitive/kernels/device/mover.cc", True),
        ("kernels/device/link/mine.ld", True),
        ("new_primitive/notes.md", False),
        ("results/quick.csv", False),
        ("tests/noc/test_mine.cpp", False),
        ("ignored/definition.cpp", False),
    ],
)
def test_files_that_git_does_not_know_count_if_results_depend_on_them(
    scratch_checkout: Path, name: str, *, counts: bool
) -> None:
    (scratch_checkout / ".git" / "info" / "exclude").write_text("/ignored/\n")
    (scratch_checkout / name).parent.mkdir(parents=True, exist_ok=True)
    (scratch_checkout / name).touch()
    assert revision.revision() == commit_of(scratch_checkout) + ("+" if counts else "")


@pytest.fixture
def identity_now(fake_simulator: ModuleType) -> Iterator[Callable[[], str]]:
    """Returns the identity that a new process would compute."""
    del fake_simulator

    def identity() -> str:
        revision.identity.cache_clear()
        revision.revision.cache_clear()
        return revision.identity()

    yield identity
    revision.identity.cache_clear()


def test_what_is_compiled_in_is_told_apart(
    scratch_checkout: Path,
    fake_simulator: ModuleType,
    identity_now: Callable[[], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The extension module identifies its sources, tracked or not."""
    first = identity_now()
    assert first.startswith(f"{commit_of(scratch_checkout)}:")
    assert identity_now() == first
    monkeypatch.setattr(fake_simulator, "source_fingerprint", "1" * 64)
    assert identity_now() != first


INPUTS = [
    "device_model/archs/mine.yaml",
    "scripts/nocbench/mine.py",
    "scripts/nocbench/points/mine.py",
    "scripts/nocbench/compiling/mine.json",
    "kernels/device/include/api/mine.h",
    "kernels/device/cxx/mine.hpp",
    "kernels/device/suite/mine.cc",
    "kernels/device/link/mine.ld",
    "kernels/device/link/mine.s",
    "kernels/frame/device/mine.h",
    "mine/kernels/device/mover.cpp",
    "mine/kernels/device/deeper/mine.h",
]
"""A file of each kind that is read when points run."""


@pytest.mark.parametrize("name", INPUTS)
def test_what_is_read_is_told_apart_by_content(
    scratch_checkout: Path, identity_now: Callable[[], str], name: str
) -> None:
    """The checkout has other changes, so its revision does not identify the content."""
    (scratch_checkout / "pyproject.toml").write_text("changed")
    found = {identity_now()}
    path = scratch_checkout / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for content in ("one", "other"):
        path.write_text(content)
        found.add(identity_now())
    path.rename(path.with_stem("renamed"))
    found.add(identity_now())
    assert len(found) == 4
    assert len({identity.split(":")[1] for identity in found}) == 4


def test_no_kind_of_file_is_forgotten() -> None:
    """Every file that results depend on, according to git, is compiled in or among the files read."""
    directory = revision.checkout()
    assert directory is not None
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=directory, check=True, capture_output=True, text=True)
    names = [name for name in listed.stdout.split("\0") if takes_part(name) and (directory / name).is_file()]
    read = {path.resolve() for path in revision.files_read().values()}
    forgotten = [
        name
        for name in names
        if (not is_source(name) or is_suite_kernel(name)) and (directory / name).resolve() not in read
    ]
    assert not forgotten
    assert sum(map(is_suite_kernel, names)) > 50


def test_outside_a_checkout_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revision, "PACKAGE", tmp_path / "nocbench")
    assert revision.checkout() is None
    assert revision.revision() == revision.version()


def test_in_a_wheel_the_revision_that_it_was_built_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revision, "PACKAGE", tmp_path)
    (tmp_path / revision.REVISION_FILE).write_text("0123456789ab+\n")
    assert revision.revision() == "0123456789ab+"
    assert revision.describe() == f"nocbench {revision.version()} (revision 0123456789ab+)"


def test_in_a_wheel_of_no_revision_the_digest_of_its_sources(
    tmp_path: Path, fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revision, "PACKAGE", tmp_path)
    (tmp_path / revision.REVISION_FILE).write_text("\n")
    assert revision.revision() == revision.version()
    monkeypatch.setattr(fake_simulator, "source_fingerprint", "1" * 64)
    assert revision.describe() == f"nocbench {revision.version()} (sources {'1' * 12})"


def test_without_git_the_version(scratch_checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(scratch_checkout))
    assert revision.revision() == revision.version()
