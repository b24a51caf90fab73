"""Mutants: lists that fit the sources, and verdicts from test runs. No mutant is run here."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

CHECKOUT = Path(__file__).resolve().parents[3]
SCRIPT = CHECKOUT / "tests" / "run_mutants.py"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_mutants", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["run_mutants"] = module  # needed by its dataclasses
    spec.loader.exec_module(module)
    return module


run_mutants: Any = _load()

LIST = """\
part: sums
tests:
  gtest: ["Sum.*", "Sums.*"]
  pytest: [tests/python/sums]
mutants:
  - name: {name}
    rule: a sum adds
    file: sum.cpp
    before: {before}
    after: {after}
"""


def write_list(
    directory: Path, name: str = "differs", before: str = "a + b", after: str = "a - b", file: str = "sums"
) -> None:
    (directory / f"{file}.yaml").write_text(LIST.format(name=name, before=before, after=after))


def mutant(**changes: str) -> Any:  # noqa: ANN401 - of a module that mypy does not see
    values = {"part": "sums", "name": "differs", "rule": "", "file": "sum.cpp", "before": "a + b", "after": "a - b"}
    return run_mutants.Mutant(**(values | changes))


def test_every_mutant_of_the_lists_can_be_planted() -> None:
    """Detects changed source text immediately, before the nightly run."""
    parts = run_mutants.read_parts(run_mutants.LISTS)
    assert run_mutants.mistakes_of(parts, CHECKOUT) == []
    assert sum(len(part.mutants) for part in parts) >= 80
    for part in parts:
        assert part.gtest or part.pytest, f"{part.name} has no tests of its own"
        for path in part.pytest:
            assert (CHECKOUT / path).exists(), path
        for each in part.mutants:
            assert not each.file.startswith(("tests/", "device_model/noc/specification/")), each.name


def test_a_list(tmp_path: Path) -> None:
    write_list(tmp_path)
    (part,) = run_mutants.read_parts(tmp_path)
    assert (part.name, part.gtest, part.pytest) == ("sums", "Sum.*:Sums.*", ("tests/python/sums",))
    assert part.mutants == (mutant(rule="a sum adds"),)


@pytest.mark.parametrize("text", ["part: sums", "mutants: [", LIST.replace("rule:", "rules:"), LIST + "more: 1\n"])
def test_what_is_no_list(tmp_path: Path, text: str) -> None:
    (tmp_path / "sums.yaml").write_text(text.format(name="differs", before="a + b", after="a - b"))
    with pytest.raises(run_mutants.ListError, match=r"sums\.yaml"):
        run_mutants.read_parts(tmp_path)


def test_mutants_that_cannot_be_planted(tmp_path: Path) -> None:
    (tmp_path / "sum.cpp").write_text("int sum(int a, int b) { return a + b; }  // a + b\n")
    part = run_mutants.Part(
        "sums",
        "",
        (),
        (
            mutant(),
            mutant(before="b + a", name="none"),
            mutant(file="other.cpp", name="elsewhere"),
            mutant(before="return a", after="return a", name="same"),
            mutant(before="int sum", after="int product", name="fits"),
            mutant(before="int sum", after="int product", name="fits"),
        ),
    )
    assert run_mutants.mistakes_of([part], tmp_path) == [
        "sums: differs: expected its text once in sum.cpp, found it 2 times",
        "sums: none: expected its text once in sum.cpp, found it 0 times",
        "sums: elsewhere: there is no file other.cpp",
        "sums: same: it changes nothing",
        "sums: fits: another mutant has this name",
    ]


def test_parts_and_names_are_chosen_by_patterns(tmp_path: Path) -> None:
    write_list(tmp_path, "one")
    write_list(tmp_path, "other", file="more")
    parts = run_mutants.read_parts(tmp_path)

    def names(part_names: list[str], patterns: list[str]) -> list[str]:
        return [each.name for _, each in run_mutants.chosen_mutants(parts, part_names, patterns)]

    assert names([], []) == ["other", "one"]
    assert names(["sums"], ["on*"]) == ["one"]
    with pytest.raises(run_mutants.ListError, match="no part is called sum; there are: sums"):
        names(["sum"], [])
    with pytest.raises(run_mutants.ListError, match="no mutant is called two"):
        names([], ["two"])


RUN = "[ RUN      ] Sum.{0}\n"
OK = "[       OK ] Sum.{0} (0 ms)\n"
FAILED = "[  FAILED  ] Sum.{0}, where GetParam() = 1 (0 ms)\n"
RAN = "[==========] 2 tests from 1 test suite ran. (3 ms total)\n"


@pytest.mark.parametrize(
    ("output", "status", "timed_out", "by"),
    [
        (RUN.format("A") + OK.format("A") + RAN, 0, False, None),
        (RUN.format("A") + OK.format("A") + RUN.format("B/0") + FAILED.format("B/0") + RAN, 1, False, "Sum.B/0"),
        (RUN.format("A") + OK.format("A") + RUN.format("B"), -11, False, "Sum.B (crashed, status -11)"),
        (RUN.format("A") + OK.format("A"), 0, False, "Sum.A (crashed, status 0)"),
        ("", 1, False, "before the first test (crashed, status 1)"),
        (RUN.format("A") + OK.format("A") + RUN.format("B"), -9, True, "Sum.B"),
    ],
)
def test_what_google_test_says(output: str, status: int, timed_out: bool, by: str | None) -> None:
    failure = run_mutants.failure_of_gtest(run_mutants.Finished(status, output, timed_out))
    assert failure == (None if by is None else run_mutants.Failure(by, timed_out))


@pytest.mark.parametrize(
    ("output", "status", "by"),
    [
        ("1 passed", 0, None),
        ("F\nFAILED tests/python/sums/test_sum.py::test_a[1] - assert 1 == 2\n1 failed", 1, "test_sum.py::test_a[1]"),
        ("ERROR tests/python/sums/test_sum.py - ImportError", 2, "test_sum.py"),
        ("no tests ran", 5, "pytest (status 5)"),
    ],
)
def test_what_pytest_says(output: str, status: int, by: str | None) -> None:
    failure = run_mutants.failure_of_pytest(run_mutants.Finished(status, output, timed_out=False))
    assert (None if failure is None else failure.by.removeprefix("tests/python/sums/")) == by


def test_what_is_silent_for_too_long_is_ended(tmp_path: Path) -> None:
    programs = run_mutants.Programs()

    def run(script: str) -> Any:  # noqa: ANN401
        command = [sys.executable, "-u", "-c", script]
        return programs.run(command, tmp_path / "log", cwd=tmp_path, env={}, timeout=1.5)

    finished = run("print('begun'); import time; time.sleep(100)")
    assert (finished.timed_out, finished.output) == (True, "begun\n")
    talks = run("import time\nfor i in range(4): print(i); time.sleep(0.7)")
    assert (talks.timed_out, talks.status) == (False, 0)


def test_a_mutant_is_in_the_copy_and_then_no_more(tmp_path: Path) -> None:
    workshop = run_mutants.Workshop(tmp_path, run_mutants.Programs(), build_jobs=1, timeout=10)
    workshop.tree.mkdir()
    file = workshop.tree / "sum.cpp"
    file.write_text("return a + b;\n")

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", "-c", "user.name=-", "-c", "user.email=-", *arguments],
            cwd=workshop.tree,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message=sources")
    with workshop.planted(mutant()):
        assert file.read_text() == "return a - b;\n"
        assert git("status", "--porcelain") == "", "tests may ask which sources they are of"
    assert file.read_text() == "return a + b;\n"
    assert git("status", "--porcelain") == ""
    assert git("log", "--format=%s") == "sources\n"


@pytest.mark.parametrize(
    ("verdicts", "status"),
    [
        (["CAUGHT", "CAUGHT"], 0),
        (["CAUGHT", "SURVIVED"], 1),
        (["CAUGHT", "TIMED_OUT"], 1),
        (["SURVIVED", "BROKEN"], 2),
        (["CAUGHT"], 3),
        (["SURVIVED"], 1),
    ],
)
def test_exit_statuses(verdicts: list[str], status: int) -> None:
    outcomes = [run_mutants.Outcome(mutant(), run_mutants.Verdict[name], "", 1.0) for name in verdicts]
    assert run_mutants.status_of(outcomes, num_mutants=2) == status


def test_a_sample_is_drawn_by_the_commit() -> None:
    every = [("part", mutant(name=f"number {number}")) for number in range(100)]
    samples = [run_mutants.sample_of(every, 40, f"commit {number}") for number in range(20)]
    for sample in samples:
        assert len(sample) == 40
        assert sample == [pair for pair in every if pair in sample]
    assert samples[0] == run_mutants.sample_of(every, 40, "commit 0")
    assert {pair[1].name for sample in samples for pair in sample} == {pair[1].name for pair in every}
    assert run_mutants.sample_of(every, 200, "commit 0") == every


def test_outcomes_are_kept_for_the_same_sources(tmp_path: Path) -> None:
    file = tmp_path / "outcomes.jsonl"
    outcome = run_mutants.Outcome(mutant(), run_mutants.Verdict.CAUGHT, "Sum.Adds", 2.5)
    kept = run_mutants.KeptOutcomes(file, "a tree")
    assert kept.of(mutant()) is None
    kept.keep(outcome)
    with file.open("a") as half:
        half.write('{"tree": "a tr')
    assert run_mutants.KeptOutcomes(file, "a tree").of(mutant()) == outcome
    assert run_mutants.KeptOutcomes(file, "another tree").of(mutant()) is None
    assert run_mutants.KeptOutcomes(file, "a tree").of(mutant(name="another")) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can replace devices")
def test_faults_replace_no_devices(tmp_path: Path) -> None:
    if subprocess.run([*run_mutants.KEEPING_DEVICES, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("this root may not mount anything, and then no fault is planted")
    workshop = run_mutants.Workshop(tmp_path, run_mutants.Programs(), build_jobs=1, timeout=60)
    workshop.tree.mkdir()
    done = workshop._run(
        ["sh", "-c", "echo > /dev/null && touch /dev/shm/nocbench && mv /dev/full /dev/was_full"], "try"
    )
    assert done.status != 0
    assert "Read-only file system" in done.output
    assert Path("/dev/full").is_char_device()
    Path("/dev/shm/nocbench").unlink()


def test_stages_of_a_mutant(tmp_path: Path) -> None:
    """Tests of the mutant's part run first, and C++ tests do not run for mutants in Python."""
    ran: list[str] = []

    def build(target: str) -> str:
        ran.append(f"build {target}")
        return ""

    workshop = SimpleNamespace(
        build=build,
        gtest=lambda choice: ran.append(f"gtest {choice}"),
        pytest=lambda paths: ran.append(f"pytest {paths[0]}"),
    )
    write_list(tmp_path)
    (part,) = run_mutants.read_parts(tmp_path)
    for stage in run_mutants.stages(part, mutant(), workshop, part_only=False):
        assert stage() is None
    judging = run_mutants.JUDGING_TESTS[0]
    assert ran == [
        "gtest Sum.*:Sums.*",
        *("build _core", "pytest tests/python/sums"),
        "gtest *",
        *("build _core", f"pytest {judging}"),
    ]
    ran.clear()
    for stage in run_mutants.stages(part, mutant(file="scripts/nocbench/sum.py"), workshop, part_only=False):
        assert stage() is None
    assert ran == ["pytest tests/python/sums", f"pytest {judging}"]


def test_tables() -> None:
    outcomes = [
        run_mutants.Outcome(mutant(), run_mutants.Verdict.CAUGHT, "Sum.A", 12.4),
        run_mutants.Outcome(mutant(name="other"), run_mutants.Verdict.SURVIVED, "", 100),
    ]
    assert run_mutants.as_text(outcomes) == (
        "part  mutant   outcome   by     seconds\n"
        "sums  differs  caught    Sum.A       12\n"
        "sums  other    survived             100\n"
        "\n"
        "2 mutants: 1 caught, 1 survived\n"
    )
    assert run_mutants.as_markdown(outcomes).splitlines()[2] == "| sums | `differs` | caught | `Sum.A` | 12 |"
    assert '"summary": "2 mutants: 1 caught, 1 survived"' in run_mutants.as_json(outcomes)


def test_bad_usage() -> None:
    for arguments in (["--part", "no such part"], ["-j", "0"], ["--name"]):
        finished = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)
        assert finished.returncode == 2, finished.stderr
