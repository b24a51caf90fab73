"""Gate between revisions, on a temporary repository whose history begins with this checkout."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nocbench import extension
from nocbench.gating import git
from nocbench.gating.extensions import source_fingerprint
from nocbench.gating.run import BASELINE
from nocbench.reports.digest import CHANGED_MARKER
from nocbench.results.result_files import read_rows, write_results
from nocbench.support.revision import checkout

if TYPE_CHECKING:
    from conftest import Completed

TEST = "One to One Packet Sizes"
WITH_COMPILED_KERNELS = "Core Bidirectional Custom"
CONSTANTS = Path("device_model/archs/wormhole_b0.yaml")
STALE = "the extension module is not made of the sources of this checkout: scripts/setup.sh builds it again"
POLICY = Path("tests/gate/policy.yaml")


class Repository:
    """Repository with a branch main, and a branch that is compared with it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def commit(self, message: str) -> None:
        self._git("add", "--all")
        self._git("-c", "user.name=n", "-c", "user.email=e@localhost", "commit", "--quiet", "--message", message)

    def replace(self, name: Path, old: str, new: str) -> None:
        file = self.path / name
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    def gate(self, *arguments: str | Path) -> Completed:
        import sys

        from conftest import Completed

        completed = subprocess.run(
            [sys.executable, "-m", "nocbench", "gate", *map(str, arguments)],
            cwd=self.path,
            capture_output=True,
            text=True,
            check=False,
        )
        return Completed(completed.returncode, completed.stdout, completed.stderr)

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", str(self.path), *arguments], check=True, capture_output=True)

    def start(self) -> None:
        self._git("init", "--quiet", "--initial-branch", "main")
        self.commit("what there is")
        self._git("checkout", "--quiet", "-b", "change")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    source = checkout()
    assert source is not None
    for name in git.git_text(source, "ls-files", "-z", "--", ":!plots", ":!docs").split("\0"):
        if name and (source / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, tmp_path / name)
    scratch = Repository(tmp_path)
    scratch.start()
    # Otherwise the gate would compile the simulator, which takes minutes.
    assert extension.source_fingerprint() == source_fingerprint(tmp_path, "HEAD"), STALE
    return scratch


def test_the_extension_module_knows_its_sources() -> None:
    source = checkout()
    assert source is not None
    commit, _ = git.head_commit(source)
    assert extension.source_fingerprint() == source_fingerprint(source, commit), STALE


def test_new_files_that_results_depend_on_are_judged(tmp_path: Path) -> None:
    scratch = Repository(tmp_path)
    (tmp_path / "CMakeLists.txt").write_text("one\n")
    scratch.start()
    head = git.commit_of(tmp_path, "HEAD")
    assert git.head_commit(tmp_path) == (head, False)
    (tmp_path / "results.csv").touch()
    assert git.head_commit(tmp_path) == (head, False)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a kernel.cpp").write_text("two\n")
    (tmp_path / "CMakeLists.txt").write_text("three\n")
    commit, has_changes = git.head_commit(tmp_path)
    assert has_changes
    assert git.git_files(tmp_path, commit) == {"CMakeLists.txt": b"three\n", "mine/a kernel.cpp": b"two\n"}
    assert git.git_text(tmp_path, "status", "--porcelain").splitlines() == [
        " M CMakeLists.txt",
        "?? mine/",
        "?? results.csv",
    ]


def test_a_change_of_the_second_of_the_commit_is_judged(tmp_path: Path) -> None:
    """git compares sizes and times, which are equal, so it does not detect the change."""
    scratch = Repository(tmp_path)
    file = tmp_path / "CMakeLists.txt"
    a_second_ago_ns = (time.time_ns() // 10**9 - 1) * 10**9
    file.write_text("one\n")
    os.utime(file, ns=(a_second_ago_ns, a_second_ago_ns))
    scratch.start()
    git.git_text(tmp_path, "config", "core.trustctime", "false")
    file.write_text("two\n")
    for changed in (file, tmp_path / ".git" / "index"):
        os.utime(changed, ns=(a_second_ago_ns, a_second_ago_ns))
    commit, has_changes = git.head_commit(tmp_path)
    assert has_changes
    assert git.git_files(tmp_path, commit) == {"CMakeLists.txt": b"two\n"}


def test_a_change_of_comments_builds_and_computes_nothing(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("NOCBENCH_CACHE", str(cache))
    monkeypatch.delenv("NOCBENCH_NO_CACHE")
    repository.replace(CONSTANTS, "\n", "\n# A comment.\n")
    for name in ("device_model/sim/error.h", "kernels/device/include/tt_metal/hw/inc/dataflow_api.h"):
        repository.replace(Path(name), "\n", "\n// A comment.\n\n")
    repository.replace(Path("scripts/nocbench/extension.py"), "\nimport functools", "\nimport functools  # A comment.")
    repository.commit("comments")
    completed = repository.gate("--base", "main", TEST, WITH_COMPILED_KERNELS)
    assert completed.status == 0, completed.err
    assert "building" not in completed.err
    match = re.match(r"PASS: (\d+) same; (\d+) of \2 points gated\n", completed.out)
    assert match is not None, completed.out
    assert "changed constant" not in completed.out
    # Both sides have requested equal results; points with compiled kernels have two files each.
    kept = [path.read_bytes() for path in (cache / "points").iterdir()]
    num_compiled = sum(b'{"kernels":true}' in content for content in kept)
    assert 0 < num_compiled < len(kept) - num_compiled
    num_rows = sum(content.count(b'"latency_cycles"') for content in kept)
    assert num_rows == int(match[1])


def test_one_percent_on_a_flit_is_found_and_named(repository: Repository) -> None:
    repository.replace(CONSTANTS, "value: [1.023, 1.11]", "value: [1.0332, 1.11]")  # uncommitted
    completed = repository.gate("--base", "main", TEST, "--only", "slower")
    assert completed.status == 1, completed.err
    assert completed.out.startswith("FAIL: 6 slower, 30 same; 36 of 36 points gated\n")
    assert "slower: 6 of 6 points of wormhole_b0, one_to_one, at least 2 KiB per call" in completed.out
    assert "not affected: blackhole one_to_one" in completed.out
    assert "first differing event: cycle " in completed.out
    assert "changed constant: wormhole_b0: niu.source_cycles_per_data_flit: [1.023, 1.11] -> [1.0332, 1.11]" in (
        completed.out
    )
    assert "the head has changes that are not committed" in completed.out


def test_coverage_may_not_fall_silently(repository: Repository) -> None:
    text = "version: 1\nrules:\n  - {metric: latency_cycles, slower: 0 %, match: {num_transactions: 1}}\n"
    (repository.path / POLICY).parent.mkdir(parents=True, exist_ok=True)
    (repository.path / POLICY).write_text(text)
    completed = repository.gate("--base", "main", TEST)
    assert completed.status == 3, completed.out
    assert "points are gated, 36 were in the base" in completed.out


def test_a_change_of_what_judges_it_is_named(repository: Repository) -> None:
    repository.replace(POLICY, "slower: 0 %", "slower: 50 %\n    reason: it may")
    rows = read_rows(repository.path / BASELINE)
    write_results([rows[0] | {"latency_cycles": 1.0}, *rows[2:]], repository.path / BASELINE)
    completed = repository.gate("--base", "main", TEST, "-o", "report")
    assert completed.status == 0, completed.err
    policy = (
        f"judged by a policy that this change itself changes: {POLICY}: was 'slower: 0 %', is 'slower: 50 %', "
        "is 'reason: it may'"
    )
    baseline = f"of {len(rows)} rows of the recorded baseline {BASELINE}, this change drops 1, changes 1"
    assert f"beware: {policy}\nbeware: {baseline}\n" in completed.out
    document = json.loads((repository.path / "report" / "gate.json").read_text())
    assert document["changed_rules"] == [policy, baseline]
    comment = (repository.path / "report" / "comment.md").read_text()
    assert f"> **Beware:** {policy}\n" in comment
    assert CHANGED_MARKER in comment
    assert (
        "judged by a policy that this change itself changes" in (repository.path / "report" / "report.html").read_text()
    )


def test_a_policy_that_goes_is_named(repository: Repository) -> None:
    (repository.path / POLICY).unlink()
    completed = repository.gate("--base", "main", TEST)
    assert f"beware: judged by a policy that this change itself removes: {POLICY}\n" in completed.out


def test_no_such_base(repository: Repository) -> None:
    completed = repository.gate("--base", "mian", TEST)
    assert (completed.status, completed.err) == (2, "error: --base: no revision is called 'mian'\n")


def test_outside_a_checkout(tmp_path: Path) -> None:
    completed = Repository(tmp_path).gate("--base", "main")
    assert completed.status == 2
    assert "expected a directory in a git checkout of nocbench, found none" in completed.err
