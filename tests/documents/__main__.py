#!/usr/bin/env python3
"""Runs the commands that documents show, and compares what they print with what the documents show.

Documents are README.md, docs/, the pages of primitives, flows, examples and kernels, those of plots/ that are not
generated, and the text that `nocbench COMMAND --help` prints. Markers in a document say which commands run in small,
and which do not run at all, and why: tests/documents/document_blocks.py describes them.

Exit status: 0 all commands that are run do what is shown; 1 one does not, or cannot be read; 2 bad usage.

Example: .venv/bin/python tests/documents README.md docs/kernels.md
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from document_blocks import Command, DocumentError, File, read_document
from document_runs import CHECKOUT, Outcome, furnish, run_document
from help_texts import help_documents
from option_faults import parse_fault

from nocbench.gating.git import git_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_GENERATED = ("plots/", "tests/")
_OF_PLOTS = ("plots/README.md", "plots/reference/README.md", "plots/results/README.md")
_SLOWEST = 5


def read_documents(names: Sequence[str]) -> dict[str, list[Command | File]]:
    """Returns the commands of each document; of all documents if none is named. Raises DocumentError."""
    listed = git_text(CHECKOUT, "ls-files", "--cached", "--others", "--exclude-standard", "*.md").splitlines()
    known = [name for name in listed if not name.startswith(_GENERATED) or name in _OF_PLOTS]
    documents = {
        name: list(read_document(name, (CHECKOUT / name).read_text())) for name in known if not names or name in names
    }
    if not names or any(name.startswith("nocbench") for name in names):
        for name, examples in help_documents():
            if not names or name in names:
                documents[name] = list(examples)
    for name in names:
        if name not in documents:
            raise DocumentError(f"{name}: no such document")
    return {name: items for name, items in documents.items() if any(isinstance(item, Command) for item in items)}


def check_document(items: Sequence[Command | File], timeout_seconds: float) -> list[tuple[Outcome, float]]:
    """Runs a document's commands in a temporary folder. Returns each command's outcome and its duration in seconds."""
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="documents-") as folder:
        furnish(Path(folder))
        began = time.monotonic()
        for outcome in run_document(items, Path(folder), timeout_seconds=timeout_seconds):
            fault = outcome.fault or parse_fault(outcome.command)
            ended = time.monotonic()
            outcomes.append((Outcome(outcome.command, fault, outcome.is_compared), ended - began))
            began = ended
    num_wrong = sum(bool(outcome.fault) for outcome, _ in outcomes)
    seconds = sum(taken for _, taken in outcomes)
    document = outcomes[0][0].command.document
    sys.stderr.write(f"{document}: {len(outcomes)} commands, {num_wrong} wrong, {seconds:.0f} s\n")
    return outcomes


def report(outcomes: Sequence[tuple[Outcome, float]], seconds: float) -> str:
    """Returns a summary: faults, commands that were not run with the reasons, and counts."""
    not_run = Counter(outcome.command.instruction.not_run for outcome, _ in outcomes)
    del not_run[""]
    lines = ["not run:"]
    lines += [f"{count:5}  {reason}" for reason, count in sorted(not_run.items(), key=lambda item: (-item[1], item[0]))]
    slow = sorted(((taken, outcome.command) for outcome, taken in outcomes), key=lambda item: -item[0])
    lines += [f"slow: {taken:.0f} s: {command.place}: {command.first_line}" for taken, command in slow[:_SLOWEST]]
    wrong = [outcome for outcome, _ in outcomes if outcome.fault]
    lines += [f"\n{outcome.command.place}: {outcome.command.text}\n{outcome.fault}" for outcome in wrong]
    num_run = len(outcomes) - not_run.total()
    num_compared = sum(outcome.is_compared for outcome, _ in outcomes)
    num_small = sum(outcome.command.instruction.in_small for outcome, _ in outcomes)
    lines.append(
        f"\n{len(outcomes)} commands of documents: {num_run} run ({num_small} of them in small), {num_compared} "
        f"compared with the output shown, {not_run.total()} not run, {len(wrong)} wrong; {seconds:.0f} s"
    )
    return "\n".join(lines)


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="*", metavar="DOCUMENT", help="only these, as README.md or 'nocbench run'")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), metavar="N", help="documents at a time")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="that a command may take")
    arguments = parser.parse_args()
    began = time.monotonic()
    try:
        documents = read_documents(arguments.documents)
    except DocumentError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    longest_first = sorted(documents.values(), key=lambda items: -len(items))
    check = partial(check_document, timeout_seconds=arguments.timeout)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = [outcome for of_document in pool.map(check, longest_first) for outcome in of_document]
    sys.stdout.write(report(outcomes, time.monotonic() - began) + "\n")
    return 1 if any(outcome.fault for outcome, _ in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
