#!/usr/bin/env python3
"""Measures how fast estimates are, and how far from published measurements.

    questions   asks random questions about all patterns on both chips, and prints the time of the answers
    published   asks for the published points of each test that is a pattern, and compares the error with that of the
                kept results, which were simulated exactly and whole

The same seed asks the same questions and gets the same answers; only their times differ. Each question is asked twice,
and the second answer is timed, since the first one may compile kernels, which are kept.

Exit status: 0 all is well; 1 the median of the times is 50 ms or more, or the maximum a second or more; 2 bad usage or
bad input.

Examples:
    .venv/bin/python scripts/studies/estimates.py questions --seed 7
    .venv/bin/python scripts/studies/estimates.py published --arch blackhole
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import nocbench
from nocbench.estimating.patterns import PATTERNS
from nocbench.points.swept_tests import list_tests
from nocbench.published.accuracy_tables import compared_tables, percentiles
from nocbench.published.reference import read_reference
from nocbench.results.kept_results import kept_results_file
from nocbench.results.result_files import read_rows, to_frame
from nocbench.support.columns import HOW_MADE, changed_values, without_values
from nocbench.support.errors import InputError, NocbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.points.swept_tests import SweptTest
    from nocbench.support.columns import Row

ARCHITECTURES = ("wormhole_b0", "blackhole")
# Published rows that are compared with rows of both kernels.
TESTS_OF_BOTH_KERNELS = {(arch, "Multi Interleaved Sizes") for arch in ARCHITECTURES}
MEDIAN_SECONDS = 0.05
MAX_SECONDS = 1.0
WORD_BYTES = 4
# Tests whose points other patterns have, and the parameter of the test that names the cores.
OTHER_TESTS = {
    "One to All Multicast 5x5 Packet Sizes without Loopback": ("multicast", "grid"),
    "One to All Multicast Linked 5x5 Packet Sizes without Loopback": ("linked_multicast", "grid"),
    "One to All Unicast 10x10 Packet Sizes without Loopback": ("scatter", "grid"),
    "All to All Grid Sweep Packet Sizes 2.0": ("all_to_all", "master_grid"),
    "All from All Grid Sweep Packet Sizes 2.0": ("all_from_all", "master_grid"),
}


def random_question(lot: random.Random) -> dict[str, Any]:
    """Returns the arguments of an estimate; the simulator may refuse them."""
    name = lot.choice(list(PATTERNS))
    pattern = PATTERNS[name]
    grids = ("2x2", "4x4", "5x5", "8x8", "all")
    cores = {"": (None,), "grid": grids, "rectangle": grids[:3], "cores": (1, 2, 4, 8)}[pattern.cores]
    return {
        "pattern": name,
        "arch": lot.choice(ARCHITECTURES),
        "cores": lot.choice(cores),
        "bytes": WORD_BYTES if pattern.bytes == WORD_BYTES else 16 * round(2 ** lot.uniform(0, 16)),
        "calls": round(2 ** lot.uniform(0, 12)),
    }


def questions(count: int, seed: int) -> int:
    """Asks random questions and prints the times of the answers. Returns the exit status."""
    lot = random.Random(seed)  # noqa: S311 - the same questions each time
    answers: list[tuple[float, float, float, str]] = []  # seconds of the second and of the first answer, and processor
    accuracies: Counter[str] = Counter()
    num_refused = 0
    while len(answers) < count:
        question = random_question(lot)
        try:
            first = nocbench.estimate(**question).seconds
        except InputError:
            num_refused += 1
            continue
        begin = time.process_time()
        found = nocbench.estimate(**question)
        words = ", ".join(f"{key}={value}" for key, value in question.items() if value is not None)
        answers.append((found.seconds, first, time.process_time() - begin, f"{words}: {found.accuracy}"))
        accuracies[found.accuracy.split()[0]] += 1
    seconds, firsts, of_processor, _ = zip(*answers, strict=True)
    rows = (("time", seconds), ("processor time", of_processor), ("time when asked first", firsts))
    print(f"{count} answers, seed {seed}; the simulator refused {num_refused} further questions\n")
    print("| | median | 90th percentile | maximum |\n|---|--:|--:|--:|")
    for what, values in rows:
        print(f"| {what} | {' | '.join(f'{1000 * value:.0f} ms' for value in percentiles(values, 50, 90, 100))} |")
    print(f"\n{', '.join(f'{number} {accuracy}' for accuracy, number in accuracies.most_common())}")
    print(f"longest: {max(answers)[3]}")
    median, longest = percentiles(seconds, 50, 100)
    return int(median >= MEDIAN_SECONDS or longest >= MAX_SECONDS)


def question_of(row: Row, test: SweptTest) -> dict[str, Any] | None:
    """Returns the question whose answer is a result row; None if no pattern has it."""
    own = next((name for name, pattern in PATTERNS.items() if pattern.test == row["test"]), None)
    name, cores = (own, "") if own else OTHER_TESTS.get(row["test"], ("", ""))
    if not name:
        return None
    # Published cores start as by the default of the test, which is not always that of the pattern.
    taken = {*PATTERNS[name].parameters, cores}
    parameters = {each.name: each.default for each in test.parameters if each.name in taken}
    parameters |= changed_values(without_values(row["params"], HOW_MADE))
    return {
        "pattern": name,
        "arch": row["arch"],
        "board": row["board"],
        "cores": parameters.pop(cores, None),
        "bytes": row["call_size_bytes"],
        "calls": row["num_transactions"],
        **parameters,
    }


def slowest_rows(architectures: Sequence[str]) -> list[Row]:
    """Returns the row of the slowest kernel of each kept point of a published test: that of an estimate."""
    reference = read_reference()
    were_published = set(zip(reference["arch"], reference["test"], strict=True))
    columns = ("arch", "test", "num_transactions", "transaction_size_bytes")
    rows: dict[tuple[Any, ...], Row] = {}
    for row in read_rows(kept_results_file()):
        if row["arch"] in architectures and (row["arch"], row["test"]) in were_published - TESTS_OF_BOTH_KERNELS:
            point = (*(row[column] for column in columns), without_values(row["params"], HOW_MADE))
            rows[point] = max(row, rows.get(point, row), key=lambda each: float(each["latency_cycles"]))
    return list(rows.values())


def published(architectures: Sequence[str], family: str) -> int:
    """Asks for published points, of one family or all, and prints a table of errors. Returns the exit status."""
    tests = {(test.arch, test.test): test for arch in architectures for test in list_tests(arch)}
    kept, estimated = [], []
    accuracies: Counter[str] = Counter()
    begin = time.monotonic()
    for row in slowest_rows(architectures):
        question = question_of(row, tests[row["arch"], row["test"]])
        if question is None or row["primitive"] != (family or row["primitive"]):
            continue
        found = nocbench.estimate(**question)
        accuracies[found.accuracy.split()[0]] += 1
        kept.append(row)
        estimated.append({**row, "latency_cycles": found.cycles, "bandwidth_bytes_per_cycle": found.bytes_per_cycle})
    errors = [_errors(rows) for rows in (kept, estimated)]
    print("| family | architecture | points | estimates: median, 90th percentile | kept results |")
    print("|---|---|--:|--:|--:|")
    for family, arch in sorted(errors[0]):
        of_kept, of_estimates = (each[family, arch] for each in errors)
        cells = [" %, ".join(f"{value:.1f}" for value in percentiles(of, 50, 90)) for of in (of_estimates, of_kept)]
        print(f"| {family} | {arch} | {len(of_kept)} | {cells[0]} % | {cells[1]} % |")
    counts = ", ".join(f"{number} {accuracy}" for accuracy, number in accuracies.most_common())
    print(f"\n{len(kept)} questions in {time.monotonic() - begin:.0f} s: {counts}")
    return 0


def _errors(rows: Sequence[Row]) -> dict[tuple[str, str], list[float]]:
    """Returns the errors of rows against published measurements, in percent, by family and architecture."""
    errors: dict[tuple[str, str], list[float]] = {}
    for table in compared_tables(to_frame(list(rows)), read_reference()):
        if table.rows and table.primitive:
            errors.setdefault((table.primitive, table.arch), []).extend(row.error_percent for row in table.rows)
    return errors


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    of_questions = commands.add_parser("questions", help="time the answers to random questions")
    of_questions.add_argument("--count", type=int, default=200, help="number of questions (default: %(default)s)")
    of_questions.add_argument("--seed", type=int, default=1, help="seed of the questions (default: %(default)s)")
    of_published = commands.add_parser("published", help="compare answers with published points")
    of_published.add_argument("--arch", choices=ARCHITECTURES, help="architecture; both by default")
    of_published.add_argument("--family", default="", help="family of tests, such as all_to_all; all by default")
    arguments = parser.parse_args()
    try:
        if arguments.command == "questions":
            return questions(arguments.count, arguments.seed)
        return published([arguments.arch] if arguments.arch else ARCHITECTURES, arguments.family)
    except NocbenchError as error:
        sys.stderr.write(f"error: {error}\n")
        return int(error.exit_status)


if __name__ == "__main__":
    sys.exit(main())
