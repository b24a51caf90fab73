#!/usr/bin/env python3
"""Removes calls that order accesses from the kernels of this repository, to learn whether the check for races notices.

From each kernel of the suite and of examples/, each barrier, flush and wait is removed, one at a time, and separately
moved behind the statement after it, or replaced by a delay, after which all that it waited for has likely happened. The
changed kernel runs in small points of the tests that use it, or in its program, with --check racecheck. Sources are
changed in copies. The outcome is one of

- racecheck: the check has a finding that it does not have of the unchanged kernel;
- otherwise: a fault, a deadlock, wrong data or a warning instead;
- explained: none of these, and planted_races.csv says why the change cannot matter;
- missed: none of these.

Exit status: 0; 1 a change was missed; 2 bad usage.

Examples:
    .venv/bin/python scripts/studies/planted_races.py
    .venv/bin/python scripts/studies/planted_races.py --arch blackhole --only one_to_all --verbose
"""

from __future__ import annotations

import argparse
import collections
import csv
import re
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.compiling import suite_kernels
from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.messages import KernelCompileError
from nocbench.points.point import Point
from nocbench.points.simulation import findings_of_point, run_point_compiled
from nocbench.points.swept_tests import list_tests
from nocbench.programs.execution import Machine, Watch, WatchedRunError, run_program
from nocbench.programs.program_file import read_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nocbench.compiling.compiler import CompiledKernel
    from nocbench.compiling.request import KernelRequest

ROOT = Path(__file__).resolve().parents[2]
EXPLANATIONS = Path(__file__).with_suffix(".csv")
ARCHITECTURES = ("wormhole_b0", "blackhole")
REMOVED, DELAYED, MOVED = "removed", "delayed", "moved"
RACECHECK, OTHERWISE, EXPLAINED, MISSED = "racecheck", "otherwise", "explained", "missed"
CHECKS = frozenset({"racecheck"})

DELAY = 'for (unsigned planted_delay = 0; planted_delay < 2000; ++planted_delay) { asm volatile(""); }'
CALL_BYTES = 2048
# Values by which a test's point runs parts of its kernels that it leaves out otherwise, or a program is short of pages:
# with some to spare, a reader may learn of later steps of a writer than it needs.
FURTHER_VALUES = {
    "examples/copy_pipeline/copy.yaml": {"depth": "1"},
    "Inline Direct Write Performance Comparison": {"posted": "1"},
}

_ORDERS = re.compile(
    r"^[ \t]*((?:noc_(?:async_\w*(?:barrier|flushed)|semaphore_wait)\w*|cb_wait_front|cb_reserve_back|"
    r"invalidate_l1_cache|\w+\.(?:async_\w*(?:barrier|flushed)|wait_front|reserve_back|wait\w*|down))(?:<[^;>]*>)?\()",
    re.MULTILINE,
)
_MENDED = re.compile(r"#if MENDED\n(.*?)(?:#else\n.*?)?#endif\n", re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Change:
    """A changed call.

    Attributes:
        file: source, relative to the root of the repository.
        call: the call, with "#2" behind it if it is the second of its text in the file.
        kind: REMOVED, DELAYED or MOVED.
        text: the whole changed source.
    """

    file: str
    call: str
    kind: str
    text: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Its place in the list of explanations."""
        return self.file, self.call, self.kind

    def explanation(self, explanations: dict[tuple[str, str, str], str]) -> str | None:
        """Returns why it cannot matter, if that is known; a delay orders no more than nothing."""
        instead = REMOVED if self.kind == DELAYED else self.kind
        return explanations.get(self.key) or explanations.get((self.file, self.call, instead))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a run with a change."""

    change: Change
    arch: str
    kind: str
    detail: str


def text_of(source: Path) -> str:
    """Returns the text of a source, of one in examples/races with its faults mended."""
    return _MENDED.sub(r"\1", source.read_text())


def changes_of(file: str, text: str) -> Iterator[Change]:
    """Yields all changes of a source."""
    numbers: collections.Counter[str] = collections.Counter()
    for found in _ORDERS.finditer(text):
        begin, end = found.start(1), _end_of_statement(text, found.start(1))
        call = " ".join(text[begin : end - 1].split())
        numbers[call] += 1
        name = call if numbers[call] == 1 else f"{call} #{numbers[call]}"
        yield Change(file, name, REMOVED, f"{text[:begin]};{text[end:]}")
        yield Change(file, name, DELAYED, f"{text[:begin]}{DELAY}{text[end:]}")
        behind = _end_of_statement(text, end)
        if behind:
            moved = f"{text[:begin]};{text[end:behind]} {text[begin:end].replace(chr(10), ' ')}{text[behind:]}"
            yield Change(file, name, MOVED, moved)


def _end_of_statement(text: str, begin: int) -> int:
    """Returns the end of the statement behind `begin`; 0 if a block ends there, or a directive follows."""
    code = _COMMENT.sub(lambda comment: " " * len(comment.group()), text)
    depth = 0
    for at in range(begin, len(code)):
        depth += (code[at] in "({[") - (code[at] in ")}]")
        if depth < 0 or code[at] == "#":
            return 0
        is_end = code[at] == ";" or (
            code[at] == "}" and not re.match(r"\s*(?:(?:else|while)\b|[;,)(])", code[at + 1 :])
        )
        if depth == 0 and is_end:
            return at + 1
    return 0


Keys = frozenset[tuple[Any, ...]]


def _keys(findings: Iterable[dict[str, Any]]) -> Keys:
    def site(access: dict[str, Any] | None) -> tuple[Any, ...]:
        return (access["access"], access["kernel"], _line(access["where"])) if access else ()

    return frozenset((found["text"], site(found["first"]), site(found["second"])) for found in findings)


def _line(where: str) -> str:
    """Returns the innermost place in a kernel: "sender.cpp:12"."""
    frames = where.split(", inlined at ")
    own = next((frame for frame in frames if "/kernels/device/include/" not in frame), frames[-1])
    return Path(own.partition(" in ")[0]).name


@contextmanager
def _sources_in(overlay: Path, noted: set[str]) -> Iterator[None]:
    """Takes sources of the suite's kernels from `overlay`, where it has them, and notes which are compiled."""

    def compile_changed(request: KernelRequest) -> CompiledKernel:
        file = (request.defines.get("NOCBENCH_SUITE_FILE") or "").strip('"') or str(request.source.relative_to(ROOT))
        noted.add(file)
        noted.update(re.findall(r'#include "(kernels/frame/device/\w+\.h)"', (ROOT / file).read_text()))
        if not any(overlay.rglob("*.*")):
            return compile_kernel(request)
        source = overlay / request.source.relative_to(ROOT)
        directories = (overlay, *request.include_directories)
        return compile_kernel(
            replace(request, source=source if source.is_file() else request.source, include_directories=directories)
        )

    suite_kernels.compile_kernel = compile_changed  # type: ignore[attr-defined]
    try:
        yield
    finally:
        suite_kernels.compile_kernel = compile_kernel  # type: ignore[attr-defined]


def points_of(arch: str) -> list[Point]:
    """Returns small points of all tests of an architecture that have kernels."""
    points = []
    for test in list_tests(arch):
        if test.primitive == "synthetic":  # packets without kernels
            continue
        axes = {name: str(values[0]) for name, values in test.axes["quick"].items()}
        number, size = (test.axes["quick"].get(name, ()) for name in ("num_transactions", "call_size"))
        if number:
            axes["num_transactions"] = str(next((one for one in number if int(one) > 1), number[0]))
        if size:
            axes["call_size"] = str(min(size, key=lambda one: abs(int(one) - CALL_BYTES)))
        points.append(Point(arch, "", test.test, tuple(axes.items())))
        if test.test in FURTHER_VALUES:
            points.append(Point(arch, "", test.test, tuple((axes | FURTHER_VALUES[test.test]).items())))
    return points


@dataclass(frozen=True, slots=True)
class Program:
    """A program of examples/: its file, relative to the root, and values of its parameters."""

    file: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Usual:
    """A point or program with the unchanged kernels.

    Attributes:
        what: the point or program.
        files: sources of its kernels.
        findings: what the check has found.
        warnings: number of warnings.
    """

    what: Point | Program
    files: frozenset[str]
    findings: Keys
    warnings: int = 0

    def num_bytes(self) -> int:
        """Returns what a kernel of the point moves: points of few bytes end soon, and delays outlast their data."""
        values = {} if isinstance(self.what, Program) else dict(self.what.parameters)
        return int(values.get("num_transactions", 1)) * int(values.get("call_size", 1))


def usual_of_point(point: Point) -> Usual:
    """Runs a point with the unchanged kernels."""
    noted: set[str] = set()
    with tempfile.TemporaryDirectory() as nothing, _sources_in(Path(nothing), noted):
        findings = _keys(findings_of_point(point, CHECKS))
    return Usual(point, frozenset(noted), findings)


def _run_example(arch: str, copy: Path, program: Program) -> tuple[Keys, int, str]:
    """Returns findings, number of warnings, and in words what else is wrong."""
    machine = Machine(arch)
    description = read_program(copy / program.file, machine, dict(program.values))
    try:
        run = run_program(description, machine, watch=Watch(CHECKS))
    except WatchedRunError as fault:
        return _keys(fault.checked.findings), 0, str(fault).partition("\n")[0]
    return _keys(run.result["findings"]), len(run.warnings), run.fault


def _copy_examples(folder: Path) -> None:
    shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True)
    for source in (folder / "examples" / "races").rglob("kernels/*.cpp"):
        source.write_text(text_of(source))


def programs() -> Iterator[Program]:
    """Yields the programs of examples/, without those that other checks are for: their kernels have no partner."""
    for path in sorted((ROOT / "examples").rglob("*.yaml")):
        text = path.read_text()
        if "\nkernels:" in text and "other_checks/" not in text:
            file = str(path.relative_to(ROOT))
            mended = {"mended": "1"} if "/races/" in file else {}
            for values in [{}, FURTHER_VALUES[file]] if file in FURTHER_VALUES else [mended]:
                yield Program(file, tuple(values.items()))


def usual_of_program(arch: str, program: Program) -> Usual:
    """Runs a program with the unchanged kernels."""
    path = ROOT / program.file
    files = [path.parent / name for name in re.findall(r"file: *(\S+)", path.read_text())]
    with tempfile.TemporaryDirectory() as copy:
        _copy_examples(Path(copy))
        findings, warnings, _ = _run_example(arch, Path(copy), program)
    return Usual(program, frozenset(str(file.relative_to(ROOT)) for file in files), findings, warnings)


def outcome_of(arch: str, usuals: list[Usual], change: Change) -> Outcome:
    """Runs points and programs with a change, until one shows it."""
    with tempfile.TemporaryDirectory() as copy:
        overlay = Path(copy)
        if change.file.startswith("examples/"):
            _copy_examples(overlay)
        (overlay / change.file).parent.mkdir(parents=True, exist_ok=True)
        (overlay / change.file).write_text(change.text)
        with _sources_in(overlay, set()):
            for usual in usuals:
                try:
                    if isinstance(usual.what, Program):
                        findings, warnings, wrong = _run_example(arch, overlay, usual.what)
                        wrong = wrong or ("a warning" if warnings > usual.warnings else "")
                    else:
                        findings, wrong = _keys(findings_of_point(usual.what, CHECKS)), ""
                except KernelCompileError as error:
                    raise RuntimeError(f"{change.file}: {change.call} {change.kind}: {error}") from None
                except InputError as error:
                    findings, wrong = usual.findings, str(error).partition("\n")[0]
                if more := findings - usual.findings:
                    return Outcome(change, arch, RACECHECK, _in_words(min(more)))
                if wrong:
                    return Outcome(change, arch, OTHERWISE, wrong.rpartition(" inlined at ")[2])
            wrong = next(filter(None, map(_wrong_data, (usual.what for usual in usuals))), "")
    return Outcome(change, arch, OTHERWISE if wrong else MISSED, wrong)


def _wrong_data(what: Point | Program) -> str:
    if isinstance(what, Program):
        return ""
    try:
        return next((row["data_fault"] for row in run_point_compiled(what).rows if not row["data_ok"]), "")
    except InputError as error:
        return str(error)


def _in_words(key: tuple[Any, ...]) -> str:
    text, first, second = key
    return f"{' x '.join(f'{one[0]} {one[2]}' for one in (first, second) if one)}{f': {text}' if text else ''}"


def read_explanations(file: Path = EXPLANATIONS) -> dict[tuple[str, str, str], str]:
    """Returns why changes cannot matter, by their keys."""
    with file.open(newline="") as lines:
        return {(row["file"], row["call"], row["change"]): row["why"] for row in csv.DictReader(lines)}


def main() -> int:
    """Runs the study. Returns its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--arch", choices=ARCHITECTURES, action="append", help="default: both")
    parser.add_argument("--only", default="", help="part of the names of the sources")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="print all outcomes, not those missed alone")
    options = parser.parse_args()
    explanations = read_explanations()
    outcomes = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for arch in options.arch or ARCHITECTURES:
            usuals = [
                *pool.map(usual_of_point, points_of(arch)),
                *pool.map(partial(usual_of_program, arch), programs()),
            ]
            jobs = []
            for file in sorted({file for usual in usuals for file in usual.files if options.only in file}):
                text = text_of(ROOT / file)
                its_usuals = sorted((usual for usual in usuals if file in usual.files), key=Usual.num_bytes)
                jobs += [pool.submit(outcome_of, arch, its_usuals, change) for change in changes_of(file, text)]
            for job in jobs:
                outcome = job.result()
                if outcome.kind == MISSED and (why := outcome.change.explanation(explanations)):
                    outcome = replace(outcome, kind=EXPLAINED, detail=why)
                outcomes.append(outcome)
                if options.verbose or outcome.kind == MISSED:
                    place = f"{outcome.change.file}: {outcome.change.call}"
                    print(f"{outcome.kind}: {arch}: {place} {outcome.change.kind}: {outcome.detail}", flush=True)
    if not outcomes:
        parser.error(f"--only: expected a part of the name of a kernel with such calls, found '{options.only}'")
    return _summary(outcomes)


def _summary(outcomes: list[Outcome]) -> int:
    kinds = (RACECHECK, OTHERWISE, EXPLAINED, MISSED)
    print(f"| architecture | change | planted | {' | '.join(kinds)} |")
    print(f"| --- | --- |{' ---: |' * (1 + len(kinds))}")
    counts = collections.Counter((one.arch, one.change.kind, one.kind) for one in outcomes)
    for arch, change in sorted({(arch, change) for arch, change, _ in counts}):
        numbers = [counts[arch, change, kind] for kind in kinds]
        print(f"| {arch} | {change} | {sum(numbers)} | {' | '.join(map(str, numbers))} |")
    num_matter = sum(one.kind != EXPLAINED for one in outcomes)
    found = sum(one.kind in (RACECHECK, OTHERWISE) for one in outcomes)
    print(f"\nFound are {found} of {num_matter} changes that can matter: {100 * found / max(num_matter, 1):.1f} %.")
    return int(found < num_matter)


if __name__ == "__main__":
    sys.exit(main())
