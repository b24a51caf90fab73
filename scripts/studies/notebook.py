#!/usr/bin/env python3
"""Makes a notebook of a document: its texts and programs as cells, with what the programs print and display.

    write      writes docs/python.ipynb
    check      says whether docs/python.ipynb is that of docs/python.md and of this model

Exit status: 0 all is well; 1 the notebook is not up to date; 2 bad usage.

Example:
    .venv/bin/python scripts/studies/notebook.py write
"""

from __future__ import annotations

import argparse
import ast
import base64
import json
import re
import sys
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "python.md"
NOTEBOOK = DOCUMENT.with_suffix(".ipynb")
DISPLAYS = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_", "image/png": "_repr_png_"}

_PROGRAM = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def notebook_of(markdown: str) -> dict[str, Any]:
    """Returns a notebook, as JSON values, whose programs have run one after the other in a folder of their own."""
    cells: list[dict[str, Any]] = []
    names: dict[str, Any] = {"__name__": "__main__"}
    end = 0
    with TemporaryDirectory() as folder, chdir(folder):
        for shared in ("examples", "tests"):
            Path(shared).symlink_to(ROOT / shared)
        for match in _PROGRAM.finditer(markdown):
            cells += _text(markdown[end : match.start()])
            cells.append(_program(match[1], names, len(cells)))
            end = match.end()
    cells += _text(markdown[end:])
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}


def _text(markdown: str) -> list[dict[str, Any]]:
    text = _COMMENT.sub("", markdown).strip()
    return [{"cell_type": "markdown", "metadata": {}, "source": _lines(text)}] if text else []


def _program(source: str, names: dict[str, Any], number: int) -> dict[str, Any]:
    """Runs a program. Returns its cell, with what it prints and what its last expression displays."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)  # noqa: S102 - programs of the repository
        shown = None if last is None else eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)  # type: ignore[attr-defined]  # noqa: S307
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if shown is not None:
        outputs.append({"data": _displayed(shown), "metadata": {}, "output_type": "display_data"})
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": outputs,
        "source": _lines(source.rstrip()),
    }


def _displayed(shown: object) -> dict[str, Any]:
    """Returns what a notebook displays of a value, by type of content."""
    # Addresses and durations in the texts of objects differ between runs.
    is_table = type(shown).__module__.startswith("pandas")
    content: dict[str, Any] = {"text/plain": _lines(repr(shown) if is_table else type(shown).__name__)}
    for kind, method in DISPLAYS.items():
        display = getattr(shown, method, None)
        if display is not None:
            value = display()
            content[kind] = base64.b64encode(value).decode() if isinstance(value, bytes) else _lines(value)
    return content


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def text_of(notebook: dict[str, Any]) -> str:
    """Returns the content of the notebook's file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["write", "check"])
    action = parser.parse_args(arguments).action
    text = text_of(notebook_of(DOCUMENT.read_text(encoding="utf-8")))
    if action == "write":
        NOTEBOOK.write_text(text, encoding="utf-8")
        return 0
    if not NOTEBOOK.is_file() or NOTEBOOK.read_text(encoding="utf-8") != text:
        sys.stderr.write(f"{NOTEBOOK} is not up to date: .venv/bin/python scripts/studies/notebook.py write\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
