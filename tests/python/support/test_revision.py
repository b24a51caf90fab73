from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from nocbench.support import revision

if TYPE_CHECKING:
    from collections.abc import Iterator
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
    monkeypatch.setattr(revision, "PACKAGE", package)
    revision.revision.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """What was found here must not be remembered by other tests."""
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


def test_sources_are_told_apart_by_content(
    scratch_checkout: Path, fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def identity() -> str:
        revision.identity.cache_clear()
        revision.revision.cache_clear()
        return revision.identity()

    try:
        first = identity()
        assert first.startswith(f"{commit_of(scratch_checkout)}:")
        assert identity() == first
        # Compiled in, whether git knows of it or not: the extension module says so.
        monkeypatch.setattr(fake_simulator, "source_fingerprint", "1" * 64)
        second = identity()
        assert second != first
        (scratch_checkout / "device_model" / "archs" / "mine.yaml").write_text("name: mine\n")
        third = identity()
        assert third.split(":")[1] != second.split(":")[1]
        (scratch_checkout / "scripts" / "nocbench" / "mine.py").touch()
        assert identity().split(":")[1] != third.split(":")[1]
    finally:
        revision.identity.cache_clear()


def test_outside_a_checkout_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revision, "PACKAGE", tmp_path / "nocbench")
    assert revision.checkout() is None
    assert revision.revision() == revision.version()


def test_without_git_the_version(scratch_checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(scratch_checkout))
    assert revision.revision() == revision.version()
