"""GitHub workflows, as far as testable without GitHub: permissions and scripts."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from sample_gate import make_point, make_report, sample_report

from nocbench.reports.digest import CHANGED_MARKER, UNCHANGED_MARKER, render_comment

ROOT = Path(__file__).parents[3]
GITHUB = ROOT / ".github"
FILES = sorted([*GITHUB.glob("workflows/*.yml"), *GITHUB.glob("actions/*/action.yml")])
HEAD_SHA = "9af0c3d4e5f60718293a4b5c6d7e8f9012345678"


def load(path: Path) -> dict[Any, Any]:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def steps_of(document: dict[Any, Any]) -> list[dict[str, Any]]:
    """Returns all steps of a workflow or of a composite action."""
    if "runs" in document:
        return list(document["runs"]["steps"])
    return [step for job in document["jobs"].values() for step in job["steps"]]


def script_of(path: Path, name: str) -> str:
    (step,) = [step for step in steps_of(load(path)) if step.get("name") == name]
    return str(step["run"])


def run_script(script: str, directory: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a step as GitHub does."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=directory,
        env={"PATH": f"{directory / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def test_which_there_are() -> None:
    names = [str(path.relative_to(GITHUB)) for path in FILES]
    assert names == [
        "actions/gate/action.yml",
        "workflows/comment.yml",
        "workflows/gate.yml",
        "workflows/nightly.yml",
        "workflows/release.yml",
        "workflows/site.yml",
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_text_of_others_is_part_of_a_script(path: Path) -> None:
    for step in steps_of(load(path)):
        assert "${{" not in step.get("run", "")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    for step in steps_of(load(path)):
        used = step.get("uses", "./")
        assert used.startswith("./") or re.fullmatch(
            r"(actions/[a-z/-]+|pypa/gh-action-pypi-publish)@[0-9a-f]{40}", used
        )


def test_what_runs_code_of_a_pull_request_may_only_read() -> None:
    gate = load(GITHUB / "workflows" / "gate.yml")
    assert list(gate[True]) == ["pull_request"]  # YAML 1.1 reads "on" as a boolean
    assert gate["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in gate["jobs"].values())
    assert "secrets" not in (GITHUB / "workflows" / "gate.yml").read_text()
    checkout = steps_of(gate)[0]
    assert checkout["with"]["fetch-depth"] == 0
    assert checkout["with"]["persist-credentials"] is False


def test_what_may_write_runs_no_code_of_a_pull_request() -> None:
    comment = load(GITHUB / "workflows" / "comment.yml")
    assert list(comment[True]) == ["workflow_run", "workflow_call"]
    assert comment[True]["workflow_run"]["workflows"] == [load(GITHUB / "workflows" / "gate.yml")["name"]]
    assert comment["permissions"] == {}
    (job,) = comment["jobs"].values()
    assert job["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert not any("uses" in step for step in job["steps"]), "no checkout, and no action"
    assert job["env"]["CHANGED_MARKER"] == CHANGED_MARKER
    assert job["env"]["UNCHANGED_MARKER"] == UNCHANGED_MARKER
    artifact = load(GITHUB / "actions" / "gate" / "action.yml")["inputs"]["artifact"]["default"]
    assert job["env"]["ARTIFACT_NAME"] == artifact


def test_only_tags_are_published_by_a_job_that_builds_nothing() -> None:
    release = load(GITHUB / "workflows" / "release.yml")
    assert release[True] == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}}
    assert release["permissions"] == {"contents": "read"}
    jobs = release["jobs"]
    assert [name for name, job in jobs.items() if "permissions" in job or "environment" in job] == ["publish"]
    publish = jobs["publish"]
    assert publish["permissions"] == {"attestations": "write", "id-token": "write"}
    assert set(publish["needs"]) == jobs.keys() - {"publish"}
    assert not any("run" in step for step in publish["steps"])
    assert "secrets" not in (GITHUB / "workflows" / "release.yml").read_text()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scripts_pass_shellcheck(path: Path) -> None:
    beside_python = Path(sys.executable).with_name("shellcheck")
    shellcheck = str(beside_python) if beside_python.exists() else shutil.which("shellcheck")
    for step in steps_of(load(path)):
        script = step.get("run", "")
        subprocess.run(["bash", "-n", "-c", script], check=True)
        if shellcheck is not None:  # installed by scripts/setup.sh --with-lint-tools
            checked = subprocess.run(
                [shellcheck, "--shell=bash", "-"], input=script, capture_output=True, text=True, check=False
            )
            assert checked.returncode == 0, checked.stdout


SET_UP = """#!/usr/bin/env bash
# Stands for the set-up of nocbench.
pwd >>where
mkdir -p "${0%/*/*}/.venv/lib" "${0%/*/*}/build/release"
touch "${0%/*/*}/.venv/lib/_core.so"
"""
LDD = """#!/usr/bin/env bash
printf '\\t%s\\n' 'linux-vdso.so.1 (0x1)' "libfmt.so.9 => $PWD/libfmt.so.9 (0x2)" "libc.so.6 => $PWD/libc.so.6 (0x3)"
"""


def run_gate(directory: Path, status: int, **variables: str) -> subprocess.CompletedProcess[str]:
    write_program(
        directory / ".venv" / "bin" / "nocbench",
        f'#!/usr/bin/env bash\nprintf "<%s>" "$@" >>calls\nexit {status}\n',
    )
    (directory / "output").write_text("")
    return run_script(
        script_of(GITHUB / "actions" / "gate" / "action.yml", "Gate"),
        directory,
        **{
            "GATE_BASE": "4e1c7a90",
            "GATE_OUTPUT": "gate",
            "GATE_ARGUMENTS": "",
            "GATE_PULL_REQUEST": "17",
            "GITHUB_OUTPUT": "output",
            **variables,
        },
    )


@pytest.mark.parametrize("status", [0, 1, 3, 4])
def test_the_status_of_the_gate_is_that_of_the_step(tmp_path: Path, status: int) -> None:
    completed = run_gate(tmp_path, status)
    assert completed.returncode == status, completed.stderr
    assert (tmp_path / "calls").read_text() == "<gate><--base><4e1c7a90><-o><gate>"
    assert (tmp_path / "output").read_text() == f"status={status}\n"
    assert (tmp_path / "gate" / "pull_request.txt").read_text() == "17\n"


def test_arguments_of_the_gate_are_no_commands(tmp_path: Path) -> None:
    run_gate(tmp_path, 0, GATE_ARGUMENTS="--tier full $(touch evil); `touch evil` one_to_*", GATE_BASE="; touch evil")
    assert (tmp_path / "calls").read_text().startswith("<gate><--tier><full><$(touch><evil);><`touch><evil`><one_to_*>")
    assert not (tmp_path / "evil").exists()


def action_of_suite(directory: Path) -> tuple[Path, Path]:
    """Returns the action's checkout, whose set-up notes where it ran, and the repository of a user."""
    action = directory / "actions" / "owner" / "nocbench"
    write_program(action / "scripts" / "setup.sh", SET_UP)
    (action / ".github" / "actions" / "gate").mkdir(parents=True)
    user = directory / "user"
    write_program(user / "bin" / "ldd", LDD)
    (user / "libfmt.so.9").write_text("")
    return action, user


def set_up_suite(action: Path, user: Path, is_kept: str = "") -> dict[str, str]:
    """Runs the steps before the gate; returns the outputs of the first one."""
    file = GITHUB / "actions" / "gate" / "action.yml"
    checkout = action / ".github" / "actions" / "gate" / ".." / ".." / ".."
    variables = {"GATE_SUITE": "my tests", "GITHUB_ENV": "environment", "GITHUB_OUTPUT": "found"}
    (user / "found").write_text("")
    found = run_script(script_of(file, "Find nocbench"), user, ACTION_CHECKOUT=str(checkout), **variables)
    assert found.returncode == 0, found.stderr
    outputs = dict(line.split("=", 1) for line in (user / "found").read_text().splitlines())
    set_up = run_script(
        script_of(file, "Set up"), user, CHECKOUT=outputs["checkout"], IS_KEPT=is_kept, GITHUB_ENV="environment"
    )
    assert set_up.returncode == 0, set_up.stderr
    return outputs


def test_a_later_run_takes_what_the_first_one_kept(tmp_path: Path) -> None:
    action, user = action_of_suite(tmp_path)
    first = set_up_suite(action, user)
    (user / "environment").unlink()
    assert set_up_suite(action, user, "true") == first  # with what the set-up made
    assert (user / "where").read_text() == f"{user}\n"  # ran once
    assert f"NOCBENCH={action}/.venv/bin/nocbench\n" in (user / "environment").read_text()
    (action / "source.cpp").write_text("int changed;\n")
    assert set_up_suite(action, user, "true")["key"] != first["key"]
    steps = {step["name"]: step for step in steps_of(load(GITHUB / "actions" / "gate" / "action.yml"))}
    take, keep = steps["Take what an earlier run kept"], steps["Keep it for later runs"]
    assert take["with"] == keep["with"]
    assert "inputs.suite != ''" in take["if"]
    assert "steps.kept.outputs.cache-hit != 'true'" in keep["if"]


def test_the_suite_of_another_repository(tmp_path: Path) -> None:
    """Nocbench is set up in the action's checkout, and the gate runs in the current repository."""
    action, user = action_of_suite(tmp_path)
    assert set_up_suite(action, user)["checkout"] == str(action)
    assert (user / "where").read_text() == f"{user}\n"
    environment = dict(line.split("=", 1) for line in (user / "environment").read_text().splitlines())
    assert environment["NOCBENCH"] == f"{action}/.venv/bin/nocbench"
    (library,) = Path(environment["LD_LIBRARY_PATH"]).iterdir()  # of those that the set-up installed
    assert library.name == "libfmt.so.9"
    gated = run_gate(user, 0, GATE_SUITE="my tests", GATE_ARGUMENTS="--tier full")
    assert gated.returncode == 0, gated.stderr
    assert (user / "calls").read_text() == "<gate><--tier><full><--suite><my tests><--base><4e1c7a90><-o><gate>"


def test_without_a_pull_request(tmp_path: Path) -> None:
    assert run_gate(tmp_path, 0, GATE_PULL_REQUEST="").returncode == 0
    assert not (tmp_path / "gate" / "pull_request.txt").exists()


GH = """#!/usr/bin/env bash
# Stands for GitHub's command line: answers from files, and notes what it is asked to write.
case "$*" in
    *--method*) printf '%s\\n' "$*" >>written; cat body.md >>written_body ;;
    */artifacts\\ *) cat answer_artifacts ;;
    */zip) cat answer_zip ;;
    */pulls/*) cat answer_head ;;
    */comments*) cat answer_comments ;;
    *) exit 9 ;;
esac
"""
READ_FROM_ZIP = "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[2]).read(sys.argv[3]))"
UNZIP = f"""#!/bin/sh
exec {shlex.quote(sys.executable)} -c {shlex.quote(READ_FROM_ZIP)} "$@"
"""


class CommentJob:
    """Job that comments, with GitHub's answers in files."""

    def __init__(self, directory: Path, comment: str, *, number: str = "17\n", head: str = HEAD_SHA) -> None:
        self.directory = directory
        write_program(directory / "bin" / "gh", GH)
        write_program(directory / "bin" / "unzip", UNZIP)
        with zipfile.ZipFile(directory / "answer_zip", "w") as archive:
            archive.writestr("pull_request.txt", number)
            archive.writestr("comment.md", comment)
        for name, text in (("artifacts", "123\n"), ("head", f"{head}\n"), ("comments", "")):
            (directory / f"answer_{name}").write_text(text)

    def run(self) -> subprocess.CompletedProcess[str]:
        """Runs the job's steps, each under its condition, and returns the last one executed."""
        path = GITHUB / "workflows" / "comment.yml"
        variables = {
            "GH_TOKEN": "none",
            "REPOSITORY": "owner/repository",
            "RUN_ID": "1",
            "HEAD_SHA": HEAD_SHA,
            "ARTIFACT_NAME": "nocbench-gate",
            "CHANGED_MARKER": CHANGED_MARKER,
            "UNCHANGED_MARKER": UNCHANGED_MARKER,
            "GITHUB_OUTPUT": "output",
        }
        (self.directory / "output").write_text("")
        completed = run_script(script_of(path, "Fetch the two files that are needed"), self.directory, **variables)
        if completed.returncode or self._output("found") != "true":
            return completed
        completed = run_script(script_of(path, "Check what they say"), self.directory, **variables)
        if completed.returncode or not self._output("number"):
            return completed
        variables["NUMBER"] = self._output("number")
        return run_script(script_of(path, "Post or update the comment"), self.directory, **variables)

    def _output(self, name: str) -> str:
        lines = (self.directory / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines).get(name, "")

    @property
    def written(self) -> str:
        """Returns the content of the job's requests to GitHub."""
        path = self.directory / "written"
        return path.read_text() if path.exists() else ""


@pytest.fixture
def changed(fake_simulator: object) -> str:
    del fake_simulator
    return render_comment(sample_report())


@pytest.fixture
def unchanged(fake_simulator: object) -> str:
    del fake_simulator
    return render_comment(make_report([make_point()]))


def test_a_change_is_posted(tmp_path: Path, changed: str) -> None:
    job = CommentJob(tmp_path, changed)
    completed = job.run()
    assert (completed.returncode, completed.stdout) == (0, "posted a comment\n"), completed.stderr
    assert job.written == "api --method POST repos/owner/repository/issues/17/comments --field body=@body.md\n"
    assert (tmp_path / "written_body").read_text() == changed


def test_a_comment_is_updated_even_if_nothing_is_changed_any_longer(tmp_path: Path, unchanged: str) -> None:
    job = CommentJob(tmp_path, unchanged)
    (tmp_path / "answer_comments").write_text("555\n666\n")
    assert job.run().stdout == "updated comment 555\n"
    assert job.written == "api --method PATCH repos/owner/repository/issues/comments/555 --field body=@body.md\n"


def test_nothing_changed_is_no_comment(tmp_path: Path, unchanged: str) -> None:
    job = CommentJob(tmp_path, unchanged)
    assert job.run().stdout == "nothing changed: nothing is posted\n"
    assert job.written == ""


def test_nobody_is_called(tmp_path: Path) -> None:
    job = CommentJob(tmp_path, f"@everybody, mail me@example.org\n{CHANGED_MARKER}\n")
    assert job.run().returncode == 0
    assert (tmp_path / "written_body").read_text() == f"@\u200beverybody, mail me@\u200bexample.org\n{CHANGED_MARKER}\n"


@pytest.mark.parametrize(
    ("number", "comment"),
    [
        ("17; touch evil\n", f"x\n{CHANGED_MARKER}\n"),
        ("../../1\n", f"x\n{CHANGED_MARKER}\n"),
        ("0\n", f"x\n{CHANGED_MARKER}\n"),
        ("", f"x\n{CHANGED_MARKER}\n"),
        ("17\n18\n", f"x\n{CHANGED_MARKER}\n"),
        ("17\n", "no marker\n"),
        ("17\n", ""),
        ("17\n", f"{'x' * 60_000}\n{CHANGED_MARKER}\n"),
    ],
)
def test_what_is_refused(tmp_path: Path, number: str, comment: str) -> None:
    job = CommentJob(tmp_path, comment, number=number)
    assert job.run().returncode == 1
    assert job.written == ""
    assert not (tmp_path / "evil").exists()


def test_the_pull_request_of_somebody_else(tmp_path: Path, changed: str) -> None:
    job = CommentJob(tmp_path, changed, head="0" * 40)
    completed = job.run()
    assert completed.returncode == 0
    assert "nothing is posted" in completed.stdout
    assert job.written == ""


def test_no_artifact(tmp_path: Path, changed: str) -> None:
    job = CommentJob(tmp_path, changed)
    (tmp_path / "answer_artifacts").write_text("")
    assert job.run().returncode == 0
    assert job.written == ""


def test_github_does_not_answer(tmp_path: Path, changed: str) -> None:
    """Without an answer, an existing comment is not detectable; no comment is better than a second one."""
    job = CommentJob(tmp_path, changed)
    (tmp_path / "answer_comments").unlink()
    assert job.run().returncode != 0
    assert job.written == ""
