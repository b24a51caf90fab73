"""All of the simulator's complaints about points; a single call stops at the first mistake."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nocbench.points.catalogue import BUILT_IN
from nocbench.points.point import Point
from nocbench.points.simulation import check_point
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_OF_A_PARAMETER = re.compile(r"parameter (\w+): ")
_SMALL = {"num_transactions": "1", "call_size": "64"}
_MAX_TRIED = 32  # maximum number of points


def parameter_mistakes(points: Iterable[Point], *, after: str = "") -> Iterator[str]:
    """Yields the complaints about values of parameters: "parameter noc: expected a whole number from 0 to 1, ...".

    Sets up each point with few and small transactions, and removes refused parameters until no complaint is left.

    Args:
        points: points with the parameters to try.
        after: an earlier complaint; if it is not about a parameter, no point is tried.
    """
    if after and not _OF_A_PARAMETER.match(after):
        return
    points = [point for point in points if point.catalogue is BUILT_IN]  # others have no small values
    told = {after}
    known: set[tuple[str, str, str, str]] = set()
    wrong: set[tuple[str, str]] = set()
    num_tried = 0
    for point in points:
        parameters = {item for item in point.parameters if item[0] not in _SMALL}
        new = {(point.arch, point.test, *item) for item in parameters} - known
        if not new:
            continue
        known |= new
        if num_tried == _MAX_TRIED:
            return
        num_tried += 1
        while (complaint := _first_mistake(point, wrong)) and (name := _OF_A_PARAMETER.match(complaint)):
            refused = {item for item in parameters - wrong if item[0] == name[1]}
            if complaint not in told and name[1] not in _SMALL:
                told.add(complaint)
                yield complaint
            if not refused:
                break
            wrong |= refused


def refusal_of_value(point: Point, name: str, value: str, others: Collection[str]) -> str:
    """Returns the simulator's complaint about a value of a point's parameter or axis; empty without one.

    Args:
        point: point with all other values.
        name: name of the parameter.
        value: value of the parameter.
        others: parameters about which complaints are ignored.
    """
    parameters = dict(point.parameters) | {name: value}
    complaint = _complaint(Point(point.arch, point.board, point.test, tuple(parameters.items()), point.settings))
    about = _OF_A_PARAMETER.match(complaint)
    if about is None or about[1] in others:
        return ""
    return complaint[about.end() :] if about[1] == name else complaint


def _first_mistake(point: Point, without: set[tuple[str, str]]) -> str:
    """Returns the first complaint about a point without some of its parameters; empty without one."""
    left = tuple((name, _SMALL.get(name, value)) for name, value in point.parameters if (name, value) not in without)
    return _complaint(Point(point.arch, point.board, point.test, left, point.settings))


def _complaint(point: Point) -> str:
    try:
        check_point(point)
    except InputError as error:
        return str(error)
    return ""
