#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants faults in a copy of the sources, one at a time, and sees which tests notice them.

A mutant is a small text replacement that breaks a rule of the model, of the kernels' libraries or of what judges
results. The lists are in tests/mutants/*.yaml, one for each part, with the tests of that part. A mutant is caught when
a test fails that passes without it. The tests of the part run first, then all C++ tests, then the Python tests that
judge results. The first test that fails ends it.

Everything happens in a copy of the checkout, with a build of its own for each job. The checkout does not change.
Outcomes are kept in this directory, so that a run with --resume tries only the mutants without one.

Exit status: 0 all mutants are caught; 1 some survive, or hang in a test that does not notice; 2 bad usage, a mutant
whose text is not in its file exactly once, one that does not compile, or tests that fail without any mutant; 3 all
that were tried are caught, but the time was up before the others.

Example: tests/run_mutants.py --part ledger --part dram -j 2
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import hashlib
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

CHECKOUT = Path(__file__).resolve().parents[1]
LISTS = CHECKOUT / "tests" / "mutants"

JUDGING_TESTS = (
    "tests/python/gate",
    "tests/python/points",
    "tests/python/reports",
    "tests/python/results",
    "tests/python/running",
    "tests/python/studies",
    "tests/python/commands/test_api.py",
    "tests/python/commands/test_whole.py",
)
"""Tests that judge results: the last thing that a mutant has to get past.

Not tests/python/structure, which would say of any mutant that its text is not there any more.
"""

# Options for fast compilation and acceptable speed: a mutant costs one or two compilations and some seconds of tests.
CONFIGURATION = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG -w",
    "-DNOCBENCH_TEST_COMPILE_OPTIONS=-O0",
    "-DNOCBENCH_BENCHMARKS=OFF",
)

# A fault in what writes files may replace /dev/null and the like by files if root runs it.
KEEPING_DEVICES = (
    ("unshare", "--mount", "sh", "-c", 'mount --rbind /dev /dev && mount -o remount,bind,ro /dev && exec "$0" "$@"')
    if os.geteuid() == 0
    else ()
)

LAST_LINES_SHOWN = 15


class ListError(Exception):
    """Error in the lists of mutants, or in the tests without a mutant; the message is for the user."""


class Verdict(StrEnum):
    """Verdict on a mutant."""

    CAUGHT = "caught"
    SURVIVED = "survived"
    TIMED_OUT = "timed out"
    """A test did not come to its end, and nothing noticed: not caught."""
    BROKEN = "does not compile"
    """A mistake in the list."""


@dataclass(frozen=True)
class Mutant:
    """Fault to plant.

    Attributes:
    part: name of its list's part.
    name: unique name.
    rule: rule that the fault breaks.
    file: path below the checkout.
    before: text to replace, which occurs exactly once in the file.
    after: replacement.
    """

    part: str
    name: str
    rule: str
    file: str
    before: str
    after: str


@dataclass(frozen=True)
class Part:
    """List of mutants.

    Attributes:
    name: part of the product.
    gtest: Google Test filter for the part's C++ tests; empty without such tests.
    pytest: paths of its Python tests.
    mutants: in the order of the list.
    """

    name: str
    gtest: str
    pytest: tuple[str, ...]
    mutants: tuple[Mutant, ...]


@dataclass(frozen=True)
class Outcome:
    """Verdict on a mutant, the test that decided it, and the duration including compilation."""

    mutant: Mutant
    verdict: Verdict
    by: str
    seconds: float


def read_part(path: Path) -> Part:
    """Reads a list.

    Raises:
    ListError: The file is not a valid list.
    """
    try:
        document = yaml.safe_load(path.read_text())
        tests = document["tests"]
        name = str(document["part"])
        mutants = tuple(
            Mutant(part=name, **{key: str(entry[key]) for key in ("name", "rule", "file", "before", "after")})
            for entry in document["mutants"]
        )
        further = {key for entry in document["mutants"] for key in entry} - set(Mutant.__dataclass_fields__)
        if further or set(document) - {"part", "tests", "mutants"} or set(tests) - {"gtest", "pytest"}:
            raise ListError(f"{path}: a key that nobody reads: {', '.join(sorted(further)) or 'of the list itself'}")
        return Part(name, ":".join(tests.get("gtest", ())), tuple(tests.get("pytest", ())), mutants)
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise ListError(
            f"{path}: expected the keys part, tests and mutants, and of each mutant name, rule, file, before and "
            f"after: {error}"
        ) from None


def read_parts(directory: Path) -> list[Part]:
    """Reads all lists.

    Raises:
    ListError: There are no lists, or one is invalid.
    """
    parts = [read_part(path) for path in sorted(directory.glob("*.yaml"))]
    if not parts:
        raise ListError(f"{directory}: no lists of mutants")
    return parts


def mistakes_of(parts: Sequence[Part], checkout: Path) -> list[str]:
    """Returns a line for each mutant that cannot be planted, for each duplicate name, and for each lacking C++ test."""
    sources = [
        file.read_text()
        for folder in checkout.iterdir()
        if folder.is_dir() and folder.name != "build" and not folder.name.startswith(".")
        for file in folder.rglob("test_*.cpp")
    ]
    mistakes = [
        f"{part.name}: no C++ test is called {pattern}"
        for part in parts
        for pattern in filter(None, part.gtest.split(":"))
        if not any(pattern.strip("*/.") in source for source in sources)
    ]
    seen: set[str] = set()
    for mutant in (mutant for part in parts for mutant in part.mutants):
        where = f"{mutant.part}: {mutant.name}"
        if mutant.name in seen:
            mistakes.append(f"{where}: another mutant has this name")
        seen.add(mutant.name)
        if mutant.before == mutant.after:
            mistakes.append(f"{where}: it changes nothing")
        file = checkout / mutant.file
        if not file.is_file():
            mistakes.append(f"{where}: there is no file {mutant.file}")
        elif (count := file.read_text().count(mutant.before)) != 1:
            mistakes.append(f"{where}: expected its text once in {mutant.file}, found it {count} times")
    return mistakes


def sample_of(mutants: Sequence[tuple[Part, Mutant]], size: int, commit: str) -> list[tuple[Part, Mutant]]:
    """Returns so many mutants, others for each commit, so that all have their turn; in the given order."""

    def lot(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{commit} {mutant.name}".encode()).digest()

    drawn = {mutant.name for mutant in sorted((mutant for _, mutant in mutants), key=lot)[:size]}
    return [(part, mutant) for part, mutant in mutants if mutant.name in drawn]


class KeptOutcomes:
    """Outcomes of earlier runs with the same sources, in a file with a line of JSON for each."""

    def __init__(self, file: Path, tree: str) -> None:
        """Reads the file; lines about other sources do not count.

        Args:
            file: file; created by :meth:`keep` if missing.
            tree: digest of the sources, as git has it.
        """
        self._file = file
        self._tree = tree
        self._verdicts: dict[str, dict[str, Any]] = {}
        if file.is_file():
            for line in file.read_text().splitlines():
                with contextlib.suppress(ValueError):  # a line that a killed run has not finished
                    kept = json.loads(line)
                    if kept["tree"] == tree:
                        self._verdicts[kept["name"]] = kept

    def of(self, mutant: Mutant) -> Outcome | None:
        """Returns the outcome of a mutant, if it is known."""
        kept = self._verdicts.get(mutant.name)
        return None if kept is None else Outcome(mutant, Verdict(kept["verdict"]), kept["by"], kept["seconds"])

    def keep(self, outcome: Outcome) -> None:
        """Adds an outcome to the file."""
        facts = {"verdict": outcome.verdict, "by": outcome.by, "seconds": outcome.seconds}
        with self._file.open("a") as file:
            file.write(json.dumps({"tree": self._tree, "name": outcome.mutant.name, **facts}) + "\n")


def chosen_mutants(parts: Sequence[Part], part_names: Sequence[str], names: Sequence[str]) -> list[tuple[Part, Mutant]]:
    """Returns the mutants that match the patterns; all mutants without patterns.

    Raises:
    ListError: A pattern matches nothing.
    """
    every = [(part, mutant) for part in parts for mutant in part.mutants]
    for what, patterns, known in (
        ("part", part_names, {part.name for part in parts}),
        ("mutant", names, {mutant.name for _, mutant in every}),
    ):
        for pattern in patterns:
            if not fnmatch.filter(known, pattern):
                raise ListError(f"no {what} is called {pattern}; there are: {', '.join(sorted(known))}")
    return [
        (part, mutant)
        for part, mutant in every
        if any(fnmatch.fnmatch(part.name, pattern) for pattern in part_names or "*")
        and any(fnmatch.fnmatch(mutant.name, pattern) for pattern in names or "*")
    ]


@dataclass(frozen=True)
class Finished:
    """Result of a program that ended or was ended because of a timeout."""

    status: int
    output: str
    timed_out: bool


class Programs:
    """Runner of programs that can end all running ones."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._is_over = False

    def run(self, command: Sequence[str], log: Path, *, cwd: Path, env: dict[str, str], timeout: float) -> Finished:
        """Runs a program with its output in a file. It leads a process group, so that its child processes end with it.

        Tests and compilers print their progress. A program without output for `timeout` seconds counts as hanging.
        """
        with log.open("wb") as output:
            with self._lock:
                if self._is_over:
                    raise KeyboardInterrupt
                program = subprocess.Popen(
                    command, stdout=output, stderr=subprocess.STDOUT, cwd=cwd, env=env, start_new_session=True
                )
                self._running.add(program)
            try:
                timed_out = not _comes_to_its_end(program, log, timeout)
            finally:
                self._end(program)
        return Finished(program.returncode, log.read_text(errors="replace"), timed_out)

    def end_all(self) -> None:
        """Ends running programs, and prevents new ones."""
        with self._lock:
            self._is_over = True
            for program in self._running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(program.pid, signal.SIGKILL)

    def _end(self, program: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()
        with self._lock:
            self._running.discard(program)


def _comes_to_its_end(program: subprocess.Popen[bytes], log: Path, timeout: float) -> bool:
    """Waits until a program has ended; returns False after `timeout` seconds without output."""
    said, since = 0, time.monotonic()
    while time.monotonic() - since < timeout:
        with contextlib.suppress(subprocess.TimeoutExpired):
            program.wait(min(1.0, timeout))
            return True
        if (size := log.stat().st_size) != said:
            said, since = size, time.monotonic()
    return False


@dataclass(frozen=True)
class Failure:
    """Reason of a test run's failure."""

    by: str
    timed_out: bool = False


def failure_of_gtest(finished: Finished) -> Failure | None:
    """Returns the first failed test, or the test in which the program ended; None if all passed."""
    running = re.findall(r"^\[ RUN +\] (\S+)", finished.output, re.MULTILINE)
    current = running[-1] if running else "before the first test"
    if finished.timed_out:
        return Failure(current, timed_out=True)
    if failed := re.search(r"^\[ +FAILED +\] ([^\s,]+\.[^\s,]+)", finished.output, re.MULTILINE):
        return Failure(failed[1])
    if finished.status == 0 and re.search(r"^\[==========\] .* ran\.", finished.output, re.MULTILINE):
        return None
    return Failure(f"{current} (crashed, status {finished.status})")


def failure_of_pytest(finished: Finished) -> Failure | None:
    """Returns the first failed test; None if all passed."""
    if finished.timed_out:
        return Failure("pytest", timed_out=True)
    if finished.status == 0:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", finished.output, re.MULTILINE)
    return Failure(failed[1] if failed else f"pytest (status {finished.status})")


class Workshop:
    """Copy of the sources with a separate build and Python environment, for one job."""

    def __init__(self, directory: Path, programs: Programs, *, build_jobs: int, timeout: float) -> None:
        self.directory = directory
        self.tree = directory / "tree"
        self._build = directory / "build"
        self._environment = directory / "environment"
        self._programs = programs
        self._build_jobs = build_jobs
        self._timeout = timeout
        # Settings for other builds and test runs must not take effect here.
        self._env = {
            name: value for name, value in os.environ.items() if not name.startswith(("GTEST_", "NOCBENCH_", "PYTHON"))
        }
        self._env |= {"PYTHONDONTWRITEBYTECODE": "1", "VIRTUAL_ENV": str(self._environment)}
        self._env["PATH"] = f"{self._environment / 'bin'}{os.pathsep}{self._env.get('PATH', os.defpath)}"

    def prepare(self) -> None:
        """Brings copy, environment and build up to date.

        Raises:
        ListError: The unchanged sources do not build.
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        self._copy_sources()
        self._make_environment()
        if not (self._build / "build.ninja").is_file():
            python = self._environment / "bin" / "python"
            command = ["cmake", "-S", str(self.tree), "-B", str(self._build), "-G", "Ninja", *CONFIGURATION]
            finished = self._run([*command, f"-DPython_EXECUTABLE={python}"], "configure")
            if finished.status != 0:
                raise ListError(f"cmake failed:\n{_end_of(finished.output)}")
        for target in ("nocbench_tests", "_core"):
            if complaint := self.build(target):
                raise ListError(f"{target} does not build without any mutant:\n{complaint}")

    @contextlib.contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Plants the fault in the copy within the context."""
        file = self.tree / mutant.file
        text = file.read_text()
        file.write_text(text.replace(mutant.before, mutant.after))
        # Commits the fault, since tests compare the built sources with git, and would catch any uncommitted fault.
        self._git("commit", "--quiet", "--all", f"--message={mutant.name}")
        try:
            yield
        finally:
            self._git("reset", "--quiet", "--mixed", "HEAD~1")
            file.write_text(text)

    def build(self, target: str) -> str:
        """Builds a target; returns the compiler's errors, if any."""
        command = ["ninja", "-C", str(self._build), "-j", str(self._build_jobs), target]
        finished = self._run(command, f"build-{target}")
        if finished.status != 0:
            return _end_of(finished.output) or f"status {finished.status}"
        if target == "_core":
            for module in (self._build / "bindings").glob("_core.*.so"):
                shutil.copy(module, self.tree / "scripts" / "nocbench")
        return ""

    def gtest(self, choice: str) -> Failure | None:
        """Runs C++ tests until one fails."""
        binary = str(self._build / "nocbench_tests")
        return failure_of_gtest(self._run([binary, "--gtest_fail_fast", f"--gtest_filter={choice}"], "gtest"))

    def has_gtest(self, pattern: str) -> bool:
        """Returns true if a C++ test matches the pattern."""
        command = [str(self._build / "nocbench_tests"), "--gtest_list_tests", f"--gtest_filter={pattern}"]
        return re.search(r"^ ", self._run(command, "gtest-list").output, re.MULTILINE) is not None

    def pytest(self, paths: Sequence[str]) -> Failure | None:
        """Runs Python tests until one fails."""
        command = [str(self._environment / "bin" / "python"), "-m", "pytest", "-x", "-q", "--tb=short"]
        return failure_of_pytest(self._run([*command, "-p", "no:cacheprovider", *paths], "pytest"))

    def _run(self, command: Sequence[str], name: str) -> Finished:
        log = self.directory / f"{name}.log"
        return self._programs.run(
            [*KEEPING_DEVICES, *command], log, cwd=self.tree, env=self._env, timeout=self._timeout
        )

    def _copy_sources(self) -> None:
        """Copies tracked files and new files that git does not ignore; writes only files that differ."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=CHECKOUT,
            capture_output=True,
            check=True,
            text=True,
        )
        names = {name for name in listed.stdout.split("\0") if name and (CHECKOUT / name).is_file()}
        for name in sorted(names):
            source, copy = CHECKOUT / name, self.tree / name
            if not copy.is_file() or copy.read_bytes() != source.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, copy)
        for copy in list(self.tree.rglob("*")):
            name = copy.relative_to(self.tree).as_posix()
            if copy.is_file() and name not in names and not name.startswith(".git/") and copy.suffix != ".so":
                copy.unlink()
        # Tests ask git for the revision. A surrounding repository would not contain these files.
        if not (self.tree / ".git").exists():
            self._git("init", "--quiet")
            (self.tree / ".git" / "info" / "exclude").write_text("*.so\n")
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", "--message=sources")

    def sources(self) -> str:
        """Returns a digest of the sources, which are those of the last commit."""
        return self._git("rev-parse", "HEAD^{tree}").strip()

    def _git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=mutants", "-c", "user.email=mutants@localhost"]
        command = ["git", *identity, *arguments]
        return subprocess.run(command, cwd=self.tree, check=True, stdout=subprocess.PIPE, text=True).stdout

    def _make_environment(self) -> None:
        """Creates an environment that finds the package in the copy, and other packages where this program does."""
        if not (self._environment / "bin" / "python").exists():
            command = [sys.executable, "-m", "venv", "--without-pip", str(self._environment)]
            subprocess.run(command, check=True)
        # An editable installation, listed in a .pth file of these folders, is not used.
        elsewhere = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
        for directory in self._environment.glob("lib/python*/site-packages"):
            lines = [str(self.tree / "scripts"), *elsewhere]
            (directory / "nocbench.pth").write_text("\n".join(lines) + "\n")


def _end_of(output: str) -> str:
    lines = output.splitlines()
    errors = [line for line in lines if "error" in line]
    return "\n".join((errors or lines)[-LAST_LINES_SHOWN:])


def is_python(mutant: Mutant) -> bool:
    """Returns true for mutants in the Python package, which no C++ test reads."""
    return mutant.file.startswith("scripts/")


def stages(
    part: Part, mutant: Mutant, workshop: Workshop, *, part_only: bool
) -> Iterator[Callable[[], Failure | None]]:
    """Yields the test stages of a mutant, in order."""

    def python(paths: Sequence[str]) -> Failure | None:
        if not is_python(mutant) and (complaint := workshop.build("_core")):
            raise ListError(complaint)
        return workshop.pytest(paths)

    if part.gtest and not is_python(mutant):
        yield lambda: workshop.gtest(part.gtest)
    if part.pytest:
        yield lambda: python(part.pytest)
    if not part_only:
        if not is_python(mutant):
            yield lambda: workshop.gtest("*")
        yield lambda: python(JUDGING_TESTS)


def try_mutant(part: Part, mutant: Mutant, workshop: Workshop, *, part_only: bool) -> Outcome:
    """Plants a mutant, and runs tests until one fails."""
    begin = time.monotonic()

    def outcome(verdict: Verdict, by: str) -> Outcome:
        return Outcome(mutant, verdict, by, time.monotonic() - begin)

    with workshop.planted(mutant):
        try:
            if not is_python(mutant) and (complaint := workshop.build("nocbench_tests")):
                return outcome(Verdict.BROKEN, complaint)
            for stage in stages(part, mutant, workshop, part_only=part_only):
                if failure := stage():
                    return outcome(Verdict.TIMED_OUT if failure.timed_out else Verdict.CAUGHT, failure.by)
        except ListError as error:
            return outcome(Verdict.BROKEN, str(error))
    return outcome(Verdict.SURVIVED, "")


def require_passing_tests(parts: Sequence[Part], workshop: Workshop, *, part_only: bool) -> None:
    """Raises ListError if a test fails without a mutant, or a pattern matches no tests, as verdicts would be void."""
    for part in parts:
        for pattern in part.gtest.split(":") if part.gtest else ():
            if not workshop.has_gtest(pattern):
                raise ListError(f"{part.name}: no C++ test is called {pattern}")
    choice = ":".join(part.gtest for part in parts if part.gtest) if part_only else "*"
    failure = workshop.gtest(choice) if choice else None
    paths = [path for part in parts for path in part.pytest]
    paths += [path for path in JUDGING_TESTS if not part_only and path not in paths]
    if failure is None and paths:
        failure = workshop.pytest(paths)
    if failure is not None:
        how = "takes too long" if failure.timed_out else "fails"
        raise ListError(f"{failure.by} {how} without any mutant; its output is in {workshop.directory}")


def try_all(mutants: Sequence[tuple[Part, Mutant]], options: argparse.Namespace) -> list[Outcome]:
    """Tries mutants, several in parallel; returns the outcomes in order, without those that the time did not allow.

    Raises:
    ListError: Building or testing is impossible.
    """
    if subprocess.run([*KEEPING_DEVICES, "true"], capture_output=True, check=False).returncode != 0:
        raise ListError(
            "expected another user than root, who may not make /dev read-only here: faults may replace files there"
        )
    end = time.monotonic() + 60 * options.minutes
    programs = Programs()
    jobs = min(options.jobs, len(mutants))
    build_jobs = max(1, (os.cpu_count() or 1) // jobs)
    workshops = [
        Workshop(options.directory / f"job-{job}", programs, build_jobs=build_jobs, timeout=options.timeout)
        for job in range(jobs)
    ]
    free: queue.Queue[Workshop] = queue.Queue()
    parts = list(dict.fromkeys(part for part, _ in mutants))

    def try_one(part: Part, mutant: Mutant) -> Outcome | None:
        workshop = free.get()
        try:
            if time.monotonic() > end:
                return None
            return try_mutant(part, mutant, workshop, part_only=options.part_only)
        finally:
            free.put(workshop)

    with ThreadPoolExecutor(jobs) as pool:
        try:
            say(f"copying and building the sources, {jobs} times, in {options.directory}")
            for prepared in [pool.submit(workshop.prepare) for workshop in workshops]:
                prepared.result()
            if not options.skip_control:
                say("running the tests without any mutant")
                require_passing_tests(parts, workshops[0], part_only=options.part_only)
            for workshop in workshops:
                free.put(workshop)
            kept = KeptOutcomes(options.directory / "outcomes.jsonl", workshops[0].sources())
            known = {mutant.name: kept.of(mutant) if options.resume else None for _, mutant in mutants}
            found = {name: outcome for name, outcome in known.items() if outcome is not None}
            # Mutants of a file follow each other, since what it affects is compiled again after it, too.
            left = sorted((pair for pair in mutants if pair[1].name not in found), key=lambda pair: pair[1].file)
            for done in as_completed([pool.submit(try_one, part, mutant) for part, mutant in left]):
                outcome = done.result()
                if outcome is not None:
                    kept.keep(outcome)
                    found[outcome.mutant.name] = outcome
                    say(f"{len(found):3}/{len(mutants)} {in_words(outcome)}")
        except BaseException:
            programs.end_all()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [found[mutant.name] for _, mutant in mutants if mutant.name in found]


COLUMNS = ("part", "mutant", "outcome", "by", "seconds")


def in_words(outcome: Outcome) -> str:
    """Returns a progress line."""
    by = f" by {outcome.by}" if outcome.verdict == Verdict.CAUGHT else f": {outcome.by}" if outcome.by else ""
    return f"{outcome.mutant.part}: {outcome.mutant.name}: {outcome.verdict}{by} ({outcome.seconds:.0f} s)"


def cells_of(outcome: Outcome) -> tuple[str, ...]:
    """Returns a table row."""
    by = outcome.by.splitlines()[-1] if outcome.by else ""
    return (outcome.mutant.part, outcome.mutant.name, str(outcome.verdict), by, f"{outcome.seconds:.0f}")


def summary_of(outcomes: Sequence[Outcome]) -> str:
    """Returns the number of outcomes by verdict."""
    counts = [(verdict, sum(outcome.verdict == verdict for outcome in outcomes)) for verdict in Verdict]
    return f"{len(outcomes)} mutants: " + ", ".join(f"{count} {verdict}" for verdict, count in counts if count)


def as_text(outcomes: Sequence[Outcome]) -> str:
    """Returns a table for a terminal."""
    rows = [COLUMNS, *map(cells_of, outcomes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS) - 1)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1].rjust(7)])
        for row in rows
    ]
    return "\n".join([*lines, "", summary_of(outcomes)]) + "\n"


def as_markdown(outcomes: Sequence[Outcome]) -> str:
    """Returns a table for a Markdown page."""
    lines = [f"| {' | '.join(COLUMNS)} |", "|---|---|---|---|--:|"]
    for outcome in outcomes:
        part, name, verdict, by, seconds = cells_of(outcome)
        lines.append(f"| {part} | `{name}` | {verdict} | {f'`{by}`' if by else ''} | {seconds} |")
    return "\n".join([*lines, "", summary_of(outcomes)]) + "\n"


def as_json(outcomes: Sequence[Outcome]) -> str:
    """Returns all fields of the outcomes."""
    rows: list[dict[str, Any]] = [
        {**asdict(outcome.mutant), "outcome": outcome.verdict, "by": outcome.by, "seconds": round(outcome.seconds, 1)}
        for outcome in outcomes
    ]
    return json.dumps({"summary": summary_of(outcomes), "mutants": rows}, indent=1) + "\n"


def status_of(outcomes: Sequence[Outcome], num_mutants: int) -> int:
    """Returns the exit status of a run with these outcomes of so many mutants."""
    verdicts = {outcome.verdict for outcome in outcomes}
    if Verdict.BROKEN in verdicts:
        return 2
    if verdicts - {Verdict.CAUGHT}:
        return 1
    return 0 if len(outcomes) == num_mutants else 3


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected 1 or more")
    return number


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", default=[], metavar="GLOB", help="only mutants of these parts")
    parser.add_argument("--name", action="append", default=[], metavar="GLOB", help="only mutants of these names")
    parser.add_argument("--sample", type=_positive, metavar="N", help="only so many of them, drawn by the commit")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no mutant after this time")
    parser.add_argument("--resume", action="store_true", help="take outcomes of earlier runs with the same sources")
    parser.add_argument("--list", action="store_true", help="print the mutants and end")
    parser.add_argument("--check", action="store_true", help="see whether each text is in its file once, and end")
    parser.add_argument("-j", "--jobs", type=_positive, default=1, help="so many mutants at the same time; default: 1")
    parser.add_argument("--part-only", action="store_true", help="run the tests of the part alone")
    parser.add_argument("--skip-control", action="store_true", help="do not run the tests without any mutant before")
    parser.add_argument("--timeout", type=float, default=300, help="seconds of silence by which a test hangs")
    parser.add_argument("--directory", type=Path, default=CHECKOUT / "build" / "mutants", help="where it all happens")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcomes there, too")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="likewise, as a table")
    return parser


def planned(options: argparse.Namespace) -> list[tuple[Part, Mutant]]:
    """Returns the mutants to try.

    Raises:
    ListError: A list is invalid, or no mutant is selected.
    """
    parts = read_parts(LISTS)
    if mistakes := mistakes_of(parts, CHECKOUT):
        raise ListError("\n".join(mistakes))
    mutants = chosen_mutants(parts, options.part, options.name)
    if not mutants:
        raise ListError("no mutant is in these parts and has these names")
    if options.sample is None:
        return mutants
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=CHECKOUT, capture_output=True, check=True, text=True)
    return sample_of(mutants, options.sample, commit.stdout.strip())


def say(line: str) -> None:
    """Prints a progress line."""
    print(f"run_mutants: {line}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Runs the program; returns its exit status."""
    options = parser().parse_args(arguments)
    try:
        mutants = planned(options)
        if options.list or options.check:
            if options.list:
                print("\n".join(f"{mutant.part}: {mutant.name}: {mutant.rule}" for _, mutant in mutants))
            return 0
        outcomes = try_all(mutants, options)
    except ListError as error:
        say(str(error))
        return 2
    except KeyboardInterrupt:
        return 130
    print(as_text(outcomes), end="")
    if len(outcomes) < len(mutants):
        say(f"the time was up: {len(mutants) - len(outcomes)} mutants were not tried; --resume tries them")
    for path, make in ((options.json, as_json), (options.markdown, as_markdown)):
        if path is not None:
            path.write_text(make(outcomes))
    return status_of(outcomes, len(mutants))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
