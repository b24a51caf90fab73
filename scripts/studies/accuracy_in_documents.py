#!/usr/bin/env python3
"""Writes the accuracy of the kept results into the documents that state it, or says which of them state another one.

In a document, the text between `<!-- accuracy: WHAT -->` and `<!-- end of accuracy -->` is made by this script. WHAT is

    all                 how close the model is in all, as a paragraph, and a row for each group of tests
    families            a row for each family of tests
    architectures       a row for each architecture
    of PRIMITIVE        a row for each published table of the primitive

The errors that `nocbench estimate` prints are made, too: by test and by family, for each architecture.

    write      puts the figures of plots/results/ into the documents
    check      compares the documents with these figures

Exit status: 0 all documents agree with the kept results; 1 one does not; 2 bad usage or bad input.

Example: .venv/bin/python scripts/studies/accuracy_in_documents.py check
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.estimating.estimate import ERRORS_FILE
from nocbench.estimating.kept import KEPT_POINTS_FILE, kept_points
from nocbench.gating.git import git_text
from nocbench.points.primitives import folder_of
from nocbench.published.accuracy_summary import accuracy_summary, of_silicon
from nocbench.published.accuracy_tables import compared_tables, percentiles, totals_of
from nocbench.published.accuracy_texts import (
    architectures_table,
    families_table,
    groups_table,
    summary_paragraph,
    tests_table,
)
from nocbench.published.documents import compared_documents
from nocbench.published.reference import read_reference
from nocbench.results.kept_results import kept_results_file
from nocbench.results.result_files import read_results, read_rows
from nocbench.support.errors import InputError, NocbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.published.accuracy_tables import ComparedTable

CHECKOUT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(
    r"(?P<begin><!-- accuracy: (?P<what>[\w ]+?) -->\n)(?P<text>.*?)(?P<end><!-- end of accuracy -->)", re.DOTALL
)


def compared() -> list[ComparedTable]:
    """Returns the kept results, compared with the published tables."""
    results = read_results(kept_results_file())
    return compared_tables(results, read_reference()) + compared_documents(results)


def text_of(what: str, document: Path, tables: Sequence[ComparedTable]) -> str:
    """Returns the text of a block of a document. Raises InputError for an unknown block."""
    summary = accuracy_summary(tables)
    to_checkout = "../" * (len(document.relative_to(CHECKOUT).parts) - 1)
    if what == "all":
        return f"{summary_paragraph(summary)}\n\n{groups_table(summary)}"
    if what == "families":
        return families_table(summary, lambda family: f"{to_checkout}{folder_of(family)}/README.md")
    if what == "architectures":
        return architectures_table(totals_of(tables))
    of_primitive = [table.accuracy() for table in tables if what == f"of {table.primitive}"]
    if not of_primitive:
        raise InputError(
            f"{document}: '{what}': expected all, families, architectures or of PRIMITIVE, about which was published"
        )
    return tests_table(of_primitive)


def with_figures(document: Path, tables: Sequence[ComparedTable]) -> str:
    """Returns the text of a document with the figures of the tables."""
    return _BLOCK.sub(
        lambda block: f"{block['begin']}\n{text_of(block['what'], document, tables)}\n\n{block['end']}",
        document.read_text(),
    )


def documents() -> list[Path]:
    """Returns the documents with blocks of figures."""
    listed = git_text(CHECKOUT, "ls-files", "--cached", "--others", "--exclude-standard", "*.md").splitlines()
    return [CHECKOUT / name for name in listed if _BLOCK.search((CHECKOUT / name).read_text())]


def errors_of_estimates(tables: Sequence[ComparedTable]) -> str:
    """Returns the errors by architecture and test, and by architecture and family, as CSV."""
    errors: dict[tuple[str, str], list[float]] = {}
    for table in of_silicon(tables):
        for of in (table.test, table.primitive):
            errors.setdefault((table.arch, of), []).extend(row.error_percent for row in table.rows)
    lines = ["arch,of,points,median_percent,p90_percent"]
    for (arch, of), of_rows in sorted(errors.items()):
        if of_rows:
            median, p90 = percentiles(of_rows, 50, 90)
            lines.append(f"{arch},{of},{len(of_rows)},{median:.2f},{p90:.2f}")
    return "\n".join(lines) + "\n"


def stale_documents(tables: Sequence[ComparedTable]) -> dict[Path, str]:
    """Returns the new texts of the documents, and of the tables of estimates, that state other figures."""
    texts = {document: with_figures(document, tables) for document in documents()}
    texts[ERRORS_FILE] = errors_of_estimates(tables)
    texts[KEPT_POINTS_FILE] = kept_points(read_rows(kept_results_file()))
    return {path: text for path, text in texts.items() if not path.exists() or path.read_text() != text}


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["write", "check"], help="write figures, or compare them")
    arguments = parser.parse_args()
    try:
        tables = compared()
        stale = stale_documents(tables)
        for document, text in stale.items():
            if arguments.command == "write":
                document.write_text(text)
            name = document.relative_to(CHECKOUT)
            sys.stderr.write(f"{name}: {'written' if arguments.command == 'write' else 'states other figures'}\n")
    except NocbenchError as error:
        sys.stderr.write(f"error: {error}\n")
        return int(error.exit_status)
    if stale and arguments.command == "check":
        sys.stderr.write("renew them with python scripts/studies/accuracy_in_documents.py write\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
