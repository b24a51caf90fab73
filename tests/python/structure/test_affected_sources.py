"""Sources that CI analyzes: changed ones, and those that include changed files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[3] / ".ci" / "affected_sources.py"
ALL = {"arch/a.cpp", "noc/b.cpp", "noc/c.cpp"}
HOUR_S = 3600


class Repository:
    """Repository with few sources: b includes a header indirectly, and c a header of its folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.time_s = 1_700_000_000
        self.git("init", "--quiet", "--initial-branch=main")
        self.write("arch/a.cpp", "")
        self.write("arch/a.h", "")
        self.write("noc/over.h", '#include "arch/a.h"\n')
        self.write("noc/b.cpp", '#include <vector>\n#  include "noc/over.h"\n')
        self.write("noc/c.h", "")
        self.write("noc/c.cpp", '#include "c.h"\n')
        self.write("README.md", "")
        (root / ".ci").mkdir()
        shutil.copy(CHECK, root / ".ci")
        self.commit()

    def git(self, *arguments: str) -> None:
        when = {"GIT_COMMITTER_DATE": f"{self.time_s} +0000"}
        who = ("-c", "user.name=n", "-c", "user.email=e@localhost")
        subprocess.run(["git", *who, *arguments], cwd=self.root, env=os.environ | when, check=True)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def commit(self, *, hours_later: int = 0) -> None:
        self.time_s += hours_later * HOUR_S
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "m")

    def affected(self, *arguments: str, base: str = "") -> tuple[set[str], str]:
        finished = subprocess.run(
            [sys.executable, self.root / ".ci" / CHECK.name, *arguments],
            env=os.environ | {"CI_BASE": base},
            capture_output=True,
            text=True,
            check=True,
        )
        return set(finished.stdout.splitlines()), finished.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@pytest.mark.parametrize(
    ("changed", "affected"),
    [
        ("README.md", set()),
        ("arch/a.cpp", {"arch/a.cpp"}),
        ("arch/a.h", {"noc/b.cpp"}),
        ("noc/c.h", {"noc/c.cpp"}),
        ("noc/new.cpp", {"noc/new.cpp"}),
        (".clang-tidy", ALL),
        ("noc/CMakeLists.txt", ALL),
    ],
)
def test_what_includes_what_changed(repository: Repository, changed: str, affected: set[str]) -> None:
    """Covers committed and uncommitted changes."""
    repository.git("branch", "before")
    repository.write(changed, "// changed\n")
    found, said = repository.affected(base="before")
    assert found == affected
    assert "(the merge base with before)" in said
    repository.commit()
    assert repository.affected(base="before")[0] == affected


def test_a_header_that_is_gone(repository: Repository) -> None:
    (repository.root / "noc/c.h").unlink()
    assert repository.affected(base="main")[0] == {"noc/c.cpp"}


def test_a_clone_of_the_main_branch_takes_the_last_day(repository: Repository) -> None:
    repository.write("arch/a.cpp", "// changed\n")
    repository.commit(hours_later=1)  # more than a day before the last commit
    repository.write("noc/c.cpp", "// changed\n")
    repository.commit(hours_later=20)
    repository.write("README.md", "changed\n")
    repository.commit(hours_later=5)
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    found, said = repository.affected()
    assert found == {"noc/c.cpp"}
    assert "(the newest commit at least a day older than HEAD)" in said


def test_some_of_many_that_include_what_changed(repository: Repository) -> None:
    """A header that few include is analyzed with one of them, whatever is drawn."""
    many = {f"many/{number}.cpp" for number in range(200)}
    for name in sorted(many):
        repository.write(name, '#include "arch/a.h"\n')
    repository.commit()
    repository.git("branch", "before")
    drawn = []
    for text in ("// first\n", "// second\n"):
        repository.write("arch/a.h", text)
        repository.write("noc/c.h", text)
        repository.write("many/7.cpp", text)
        repository.commit()
        found, said = repository.affected(base="before")
        assert {"many/7.cpp", "noc/c.cpp"} < found
        assert len(found) == 43  # with one for arch/a.h, and 40 drawn ones
        assert "43 of 203 sources" in said
        drawn.append(found)
    assert drawn[0] != drawn[1]
    assert repository.affected(base="before")[0] == drawn[1]
    assert len(repository.affected("--all")[0]) == 203


def test_all_where_nothing_can_be_told(repository: Repository) -> None:
    assert repository.affected(base="no such branch") == (
        ALL,
        "affected_sources: 3 of 3 sources: no commit was found to compare with\n",
    )
    assert repository.affected()[0] == ALL  # no commit is older than a day
    assert repository.affected("--all", base="main")[0] == ALL
