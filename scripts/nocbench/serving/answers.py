"""Answers to questions of pages, computed in worker processes. Questions and answers are JSON values."""

from __future__ import annotations

import functools
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import architecture_names, require_architecture
from nocbench.pages.sections import sections_of
from nocbench.points.accuracy import accuracy_named
from nocbench.points.catalogue import BUILT_IN
from nocbench.points.constants import read_constants
from nocbench.points.selection import select_points
from nocbench.points.settings import settings_to_text
from nocbench.published.reference import read_reference
from nocbench.results.result_files import to_frame
from nocbench.running.accuracies import choose
from nocbench.running.engines.in_process import InProcess
from nocbench.running.execution import run_points
from nocbench.site.charts import chart_data
from nocbench.support.columns import point_key, without_values
from nocbench.support.errors import InputError
from nocbench.support.package import PACKAGE
from nocbench.support.revision import checkout

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from nocbench.points.point import Point
    from nocbench.support.columns import Row

FAST_SECONDS = 0.7
EXACT_SECONDS = 12.0
"""Times after which no further points of a curve are begun."""

_LEAST_POINTS = 4
_CYCLES_MAX = 50_000_000

Question = dict[str, Any]
Answer = dict[str, Any]


def warm_up() -> None:
    """Reads the published measurements, which takes seconds."""
    _reference()


def tests() -> Answer:
    """Returns the names of all tests, by architecture."""
    return {arch: [test.test for test in BUILT_IN.list_tests(arch)] for arch in architecture_names()}


def fields(question: Question) -> Answer:
    """Returns the fields of an architecture that are numbers: their value, unit, status and source.

    Raises:
        InputError: an unknown architecture.
    """
    arch = _text(question, "arch")
    require_architecture(arch)
    return {
        constant.path: {
            "value": float(constant.value),
            "isWhole": "." not in constant.value,
            "unit": constant.unit,
            "status": constant.status,
            "source": constant.source,
        }
        for constant in read_constants(arch, _text(question, "board"))
        if _is_number(constant.value)
    }


def curve(question: Question) -> Answer:
    """Returns the chart of a test, with changed fields beside the unchanged machine.

    Points that are not begun in time are left out, the costly ones first; `leftOut` is their number.

    Raises:
        InputError: an unknown test, machine or field, or a value that is not allowed.
    """
    test, arch, board = (_text(question, name) for name in ("test", "arch", "board"))
    accuracy = _text(question, "accuracy") or "exact"
    settings = _mapping(question, "settings")
    seconds = FAST_SECONDS if accuracy == "fast" else EXACT_SECONDS
    points = select_points(
        [test],
        architectures=[arch],
        board=board,
        settings=settings_to_text(settings),
    )
    if len({point.test for point in points}) > 1:
        raise InputError(f"test: expected one test, found {len(points)} points of several: {test}")
    rows, num_left_out = _rows_within(choose(points, accuracy_named(accuracy), InProcess()), seconds)
    sections = sections_of(to_frame(rows), _reference())[arch]
    base = _base(test, arch, board) if settings and accuracy == "exact" else {}

    def base_of(row: Row) -> Row | None:
        return base.get(point_key(row | {"params": without_values(row["params"], settings)}))

    return {**chart_data(sections[0], base_of), "leftOut": num_left_out, "title": sections[0].test}


@functools.lru_cache(maxsize=64)
def _base(test: str, arch: str, board: str) -> dict[tuple[Any, ...], Row]:
    points = select_points([test], architectures=[arch], board=board)
    rows, _ = _rows_within(points, EXACT_SECONDS)
    return {point_key(row): row for row in rows}


@functools.cache
def _reference() -> pandas.DataFrame:
    return read_reference(())


def _rows_within(points: Sequence[Point], seconds: float) -> tuple[list[Row], int]:
    """Runs points, the cheap ones first. Returns their rows in the order of the points, and the number left out."""
    order = sorted(range(len(points)), key=lambda place: points[place].relative_cost)
    found: dict[int, list[Row]] = {}
    end = time.monotonic() + seconds
    for place in order:
        if len(found) >= _LEAST_POINTS and time.monotonic() > end:
            break
        found[place] = list(run_points([points[place]], InProcess()).rows)
    return [row for place in sorted(found) for row in found[place]], len(points) - len(found)


def kernel(question: Question) -> Answer:
    """Compiles and runs a program of pasted texts. Returns its cycles by kernel and source line.

    The program may name only the pasted files.

    Raises:
        InputError: mistakes in the program or its kernels, or a run without end.
    """
    from nocbench.programs.execution import run_program
    from nocbench.programs.program_file import read_program
    from nocbench.programs.report import to_json
    from nocbench.programs.targets import machines_for

    arch, board = _text(question, "arch"), _text(question, "board")
    with TemporaryDirectory(prefix="nocbench-") as folder:
        path = Path(folder) / "program.yaml"
        path.write_text(_text(question, "program"), encoding="utf-8")
        (path.parent / "kernel.cpp").write_text(_text(question, "kernel"), encoding="utf-8")
        try:
            machine = machines_for(path, arch, board, settings_to_text(_mapping(question, "settings")))[0]
            run = run_program(read_program(path, machine, {}, is_confined=True), machine, cycles_max=_CYCLES_MAX)
            return dict(_without_places(to_json(run), folder))
        except InputError as error:
            raise InputError(_without_places(str(error), folder)) from None


def _without_places(value: Any, folder: str) -> Any:  # noqa: ANN401 - JSON
    """Returns a value whose texts do not tell where nocbench and the pasted files are."""
    if isinstance(value, dict):
        return {key: _without_places(item, folder) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_places(item, folder) for item in value]
    if isinstance(value, str):
        for place in (folder, str(checkout() or PACKAGE)):
            value = value.replace(f"{place}/", "").replace(place, ".")
    return value


def _text(question: Question, name: str) -> str:
    value = question.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"{name}: expected a text, found {value!r}")
    return value


def _mapping(question: Question, name: str) -> dict[str, object]:
    value = question.get(name, {})
    if not isinstance(value, dict) or not all(isinstance(item, (str, int, float)) for item in value.values()):
        raise InputError(f"{name}: expected names with values, found {value!r}")
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
