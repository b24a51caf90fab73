"""Runs the commands of one document in a temporary folder that looks like the checkout."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from document_blocks import Command, File
from shown_outputs import is_like

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CHECKOUT = Path(__file__).resolve().parents[2]
_OWN_FOLDERS = ("build", "plots", "docs")
"""Folders that commands may write into: their entries are links, and what is new stays outside of the checkout."""
_TOO_MANY_SHARDS = "999999999/999999999"
_NUM_POINTS = re.compile(r"expected at most as many shards as points, found (\d+) point")
_TEST_PROGRAM = re.compile(r"^build/release/nocbench_\w+")
_LAST_LINES = 12


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a command.

    Attributes:
    command: the command.
    fault: the fault; empty without faults.
    is_compared: true if the output was compared with the document's.
    """

    command: Command
    fault: str = ""
    is_compared: bool = False


@dataclass(frozen=True, slots=True)
class _Finished:
    status: int
    out: str
    err: str
    merged: str


def furnish(folder: Path) -> None:
    """Fills a folder with links to the entries of the checkout."""
    for entry in CHECKOUT.iterdir():
        if entry.name in _OWN_FOLDERS and entry.is_dir():
            (folder / entry.name).mkdir()
            for inner in entry.iterdir():
                (folder / entry.name / inner.name).symlink_to(inner)
        elif entry.name != ".git":
            (folder / entry.name).symlink_to(entry)


def is_harmless(text: str) -> bool:
    """Returns true for a command line that runs only nocbench."""
    programs = [part.split(maxsplit=1)[0] for part in text.split("&&") if part.strip()]
    return all(program in ("nocbench", ".venv/bin/nocbench") for program in programs)


def run_document(items: Sequence[Command | File], folder: Path, *, timeout_seconds: float) -> Iterator[Outcome]:
    """Runs the commands of a document in order, in a common folder."""
    environment = os.environ | {"PATH": f"{CHECKOUT / '.venv' / 'bin'}:{os.environ['PATH']}", "COLUMNS": "200"}
    background: list[subprocess.Popen[str]] = []
    try:
        for item in items:
            if isinstance(item, File):
                path = folder / item.name
                path.unlink(missing_ok=True)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(item.text)
            elif not (item.is_marked or item.is_python or is_harmless(item.text)):
                yield Outcome(item, "it runs another program than nocbench: a marker has to say how, or why not")
            elif item.instruction.not_run:
                yield Outcome(item)
            elif (program := _TEST_PROGRAM.match(item.text)) and not (CHECKOUT / program[0]).exists():
                reason = f"{program[0]} is not built here"
                yield Outcome(replace(item, instruction=replace(item.instruction, not_run=reason)))
            elif item.instruction.in_background:
                background.append(_start(item, folder, environment))
                yield Outcome(item)
            else:
                yield _outcome(item, folder, environment, timeout_seconds)
    finally:
        for process in background:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(10)


def _outcome(command: Command, folder: Path, environment: Mapping[str, str], timeout_seconds: float) -> Outcome:
    instruction = command.instruction
    try:
        if command.is_python:
            finished = _run([sys.executable, "-c", command.text], folder, environment, timeout_seconds)
        else:
            text = instruction.instead or command.text
            if instruction.in_small:
                text = _in_small(text, folder, environment, timeout_seconds)
            finished = _run(["bash", "-c", text], folder, environment, timeout_seconds)
    except subprocess.TimeoutExpired:
        return Outcome(command, f"it takes more than {timeout_seconds:g} s: mark how it runs in small, or not at all")
    if finished.status != instruction.status:
        last = "\n".join(finished.merged.splitlines()[-_LAST_LINES:])
        return Outcome(command, f"expected exit status {instruction.status}, found {finished.status}:\n{last}")
    if command.output is None:
        return Outcome(command)
    if any(is_like(command.output, printed) for printed in (finished.out, finished.err, finished.merged)):
        return Outcome(command, is_compared=True)
    return Outcome(command, f"it prints something else than is shown:\n{finished.merged.rstrip()}", is_compared=True)


def _run(words: Sequence[str], folder: Path, environment: Mapping[str, str], timeout_seconds: float) -> _Finished:
    files = [folder / name for name in (".out", ".err")]
    with files[0].open("w") as out, files[1].open("w") as err:
        process = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        try:
            status = process.wait(timeout_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
    printed, complaints = (file.read_text(errors="replace") for file in files)
    return _Finished(status, printed, complaints, complaints + printed)


def _start(command: Command, folder: Path, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    """Starts a server, and waits until it reports that it is ready."""
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command.text}"], cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    return process


def _in_small(text: str, folder: Path, environment: Mapping[str, str], timeout_seconds: float) -> str:
    """Returns a command line whose sweeps run their smallest point, and whose test programs list their tests."""
    return " && ".join(_small_command(part, folder, environment, timeout_seconds) for part in text.split(" && "))


def _small_command(text: str, folder: Path, environment: Mapping[str, str], timeout_seconds: float) -> str:
    words = shlex.split(text, comments=True)
    if _TEST_PROGRAM.match(text):
        kind = "benchmark" if "benchmarks" in words[0] else "gtest"
        return f"{shlex.join([*words, f'--{kind}_list_tests'])} | grep -q ."
    if Path(words[0]).name != "nocbench" or words[1] != "run":
        return text
    if not {"-o", "--output"} & set(words):
        words += ["-o", "small.csv"]
    if "--tier" not in words:
        words += ["--tier", "quick"]
    probe = shlex.join([*words, "--shard", _TOO_MANY_SHARDS])
    found = _NUM_POINTS.search(_run(["bash", "-c", probe], folder, environment, timeout_seconds).err)
    # With as many shards as points, the last shard is the smallest point of the last test.
    return shlex.join([*words, "-j", "0", *(["--shard", f"{found[1]}/{found[1]}"] if found else [])])
