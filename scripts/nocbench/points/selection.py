"""Which points to run: tests by name, id or pattern, and the product of their axes."""

from __future__ import annotations

import hashlib
import itertools
import math
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from nocbench.points import simulator
from nocbench.points.axes import parse_values
from nocbench.points.point import Point
from nocbench.points.settings import combine_settings, require_settings
from nocbench.support.errors import InputError, NothingMatchedError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nocbench.points.settings import Settings
    from nocbench.points.simulator import SweptTest

TIERS = ("full", "quick")

_NUM_TRANSACTIONS = "num_transactions"


def select_points(
    patterns: Sequence[str],
    *,
    exclude: Sequence[str] = (),
    architectures: Sequence[str] = (),
    board: str = "",
    tier: str = "full",
    axes: Mapping[str, str] | None = None,
    settings: Sequence[tuple[str, str]] = (),
) -> list[Point]:
    """Lists the points of a run, in the order of its results: by settings, architecture, test id, and the axes.

    Args:
        patterns: names, ids or globs of tests, or names of primitives; all tests if there are none.
        exclude: the same, of tests to leave out.
        architectures: names; all (that have the board, if one is given) if there are none.
        board: name, or empty for each architecture's default board.
        tier: "full" or "quick".
        axes: values that replace those of a test's axes, or set its parameters, as written after `-a`.
        settings: fields of the board or architecture to change, with their values as written after `--set`; all points
            are there for each combination of these.

    Raises:
        InputError: an unknown name of anything, a test for another kind of architecture, or a value that an
            architecture refuses.
        NothingMatchedError: a glob that no test matches, or nothing to run on an architecture that is named.
    """
    if tier not in TIERS:
        raise InputError(f"no tier is called '{tier}'; there are: {', '.join(TIERS)}")
    combinations = combine_settings(settings)
    chosen = _select_architectures(architectures, board)
    catalogue = [test for arch in chosen for test in simulator.list_tests(arch)]
    excluded = {(test.arch, test.test) for test in _select_tests(catalogue, exclude, chosen)} if exclude else set()
    tests = [test for test in _select_tests(catalogue, patterns, chosen) if (test.arch, test.test) not in excluded]
    # Something must run on every architecture that was asked for by name; otherwise on any.
    lacking = [arch for arch in chosen if all(test.arch != arch for test in tests)]
    if lacking and (architectures or not tests):
        _raise_nothing_to_run(lacking[0], patterns, is_left_out=bool(excluded))
    require_settings(list(dict.fromkeys(test.arch for test in tests)), board, combinations)
    # Settings vary slowest: each of their combinations is a whole run.
    return [
        point
        for combination in combinations
        for test in tests
        for point in _points_of_test(test, board, tier, axes or {}, combination)
    ]


def selection_digest(points: Iterable[Point], *, whole: bool) -> str:
    """A short text that only these points have, in this order and run like this."""
    digests = [str(whole), *(point.digest() for point in points)]
    return hashlib.sha256(" ".join(digests).encode()).hexdigest()[:32]


def select_one_point(
    pattern: str,
    *,
    arch: str = "",
    board: str = "",
    axes: Mapping[str, str] | None = None,
    settings: Sequence[tuple[str, str]] = (),
) -> Point:
    """Finds the only point that is meant; the arguments are those of :func:`select_points`.

    Raises:
        InputError: an unknown name of anything, or more than one point: says what would have to be chosen.
        NothingMatchedError: a glob that no test matches.
    """
    points = select_points([pattern], architectures=[arch] if arch else [], board=board, axes=axes, settings=settings)
    for what, names, choice in (
        ("test", [point.test for point in points], "name one of them"),
        ("architecture", [point.arch for point in points], "choose one with --arch"),
    ):
        found = list(dict.fromkeys(names))
        if len(found) > 1:
            raise InputError(f"'{pattern}': expected one {what}, found {len(found)} ({', '.join(found)}); {choice}")
    values: dict[str, dict[str, None]] = {}
    for point in points:
        for name, value in point.parameters + point.settings:
            values.setdefault(name, {})[value] = None
    several = {name: list(found) for name, found in values.items() if len(found) > 1}
    if several:
        counts = ", ".join(f"{name} has {len(found)} values ({_few(found)})" for name, found in several.items())
        fields = {field for field, _ in settings}
        example = " ".join(
            f"{'--set' if name in fields else '-a'} {name}={found[-1]}" for name, found in several.items()
        )
        raise InputError(
            f"'{points[0].test}' on {points[0].arch}: expected one point, found {len(points)}: {counts}; "
            f"choose one of each, such as {example}"
        )
    return points[0]


def _few(values: Sequence[str], most: int = 4) -> str:
    return ", ".join([*values[: most - 1], "..."] if len(values) > most else values)


def _select_tests(
    catalogue: Sequence[SweptTest], patterns: Sequence[str], architectures: Sequence[str]
) -> list[SweptTest]:
    """Picks from the tests of architectures, keeping their order.

    Raises:
        InputError: a pattern without wildcards that is none of theirs.
        NothingMatchedError: another pattern that none of theirs matches.
    """
    if not patterns:
        return list(catalogue)
    picked: set[tuple[str, str]] = set()
    for pattern in patterns:
        matches = {(test.arch, test.test) for test in catalogue if _matches(test, pattern)}
        if not matches:
            _refuse_other_kinds(pattern, architectures)
            _raise_no_match(catalogue, pattern)
        picked |= matches
    return [test for test in catalogue if (test.arch, test.test) in picked]


def _matches(test: SweptTest, pattern: str) -> bool:
    if pattern.isdigit():
        return int(pattern) == test.test_id
    pattern = pattern.casefold()
    return any(
        name == pattern or fnmatchcase(name, pattern) for name in (test.test.casefold(), test.primitive.casefold())
    )


def _is_glob(pattern: str) -> bool:
    return any(character in pattern for character in "*?[")


def _refuse_other_kinds(pattern: str, architectures: Sequence[str]) -> None:
    """Raises InputError if tests are meant that are for other kinds of architectures than these."""
    if _is_glob(pattern):
        return
    others = [arch for arch in simulator.architecture_names() if arch not in architectures]
    meant = [test for arch in others for test in simulator.list_tests(arch) if _matches(test, pattern)]
    if not meant:
        return
    names = list(dict.fromkeys(test.test for test in meant))
    kinds: dict[str, list[str]] = {}
    for kind, arch in dict.fromkeys((test.kind, test.arch) for test in meant):
        kinds.setdefault(kind, []).append(arch)
    meant_kinds = " or ".join(f"{kind} ({', '.join(archs)})" for kind, archs in kinds.items())
    found = " or ".join(f"{arch}, of kind {_kind_of(arch)}" for arch in architectures)
    raise InputError(
        f"'{names[0] if len(names) == 1 else pattern}' is for architectures of kind {meant_kinds}, not for {found}"
    )


def _raise_nothing_to_run(arch: str, patterns: Sequence[str], *, is_left_out: bool) -> None:
    """Says why no test runs on an architecture, though each pattern matches one on some architecture."""
    tests = simulator.list_tests(arch)
    for pattern in patterns:
        if not any(_matches(test, pattern) for test in tests):
            _refuse_other_kinds(pattern, [arch])
    if not tests:
        raise NothingMatchedError(f"there are no tests for {arch}, of kind {_kind_of(arch)}")
    if is_left_out:
        raise NothingMatchedError(f"nothing is left to run on {arch}: all tests that match are excluded")
    raise NothingMatchedError(f"no test for {arch} matches {' or '.join(repr(pattern) for pattern in patterns)}")


def _kind_of(arch: str) -> str:
    return str(simulator.describe_architecture(arch)["kind"])


def _raise_no_match(catalogue: Iterable[SweptTest], pattern: str) -> None:
    tests = list(catalogue)
    names = dict.fromkeys([test.test for test in tests] + [test.primitive for test in tests])
    if _is_glob(pattern):
        letters = "".join(character for character in pattern if character not in "*?[]")
        raise NothingMatchedError(f"no test matches '{pattern}'{did_you_mean(letters, names)}")
    if pattern.isdigit():
        ids = ", ".join(str(test_id) for test_id in sorted({test.test_id for test in tests}))
        raise InputError(f"no test has the id {pattern}; there are: {ids}")
    hint = did_you_mean(pattern, names) or "; 'nocbench list' names them all"
    raise InputError(f"no test is called '{pattern}'{hint}")


def _select_architectures(architectures: Sequence[str], board: str) -> list[str]:
    chosen = list(dict.fromkeys(architectures)) or simulator.architecture_names()
    for arch in chosen:
        simulator.require_architecture(arch)
    if not board:
        return chosen
    boards = {
        arch: [description["name"] for description in simulator.describe_architecture(arch)["boards"]]
        for arch in chosen
    }
    having = [arch for arch in chosen if board in boards[arch]]
    # Architectures that were asked for by name must have the board; otherwise the board says which one is meant.
    lacking = [arch for arch in chosen if arch not in having]
    if having and not (architectures and lacking):
        return having
    known = list(dict.fromkeys(itertools.chain.from_iterable(boards[arch] for arch in lacking)))
    where = f" of {', '.join(lacking)}" if architectures else ""
    hint = did_you_mean(board, known) or f"; there are: {', '.join(known)}"
    raise InputError(f"no board{where} is called '{board}'{hint}")


def _points_of_test(
    test: SweptTest,
    board: str,
    tier: str,
    axes: Mapping[str, str],
    settings: Settings,
) -> Iterable[Point]:
    own_axes = test.axes[tier]
    parameters_by_name = {parameter.name: parameter for parameter in test.parameters}
    known = list(dict.fromkeys([*own_axes, *parameters_by_name]))
    for name in axes:
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are: {', '.join(known)}"
            raise InputError(f"'{test.test}' on {test.arch} has no parameter '{name}'{hint}")
    # Parameters vary slowest and the axes fastest, in the published tables' order: sizes within counts.
    swept: dict[str, list[str]] = {}
    for name, text in axes.items():
        if name not in own_axes:
            swept[name] = parse_values(name, text, holds_commas=parameters_by_name[name].holds_commas)
    for axis, default_values in own_axes.items():
        holds_commas = axis in parameters_by_name and parameters_by_name[axis].holds_commas
        chosen = (
            parse_values(axis, axes[axis], holds_commas=holds_commas)
            if axis in axes
            else [str(value) for value in default_values]
        )
        swept[axis] = chosen if axis in parameters_by_name else [_axis_value(axis, value) for value in chosen]
    for values in itertools.product(*swept.values()):
        parameters = tuple(zip(swept, values, strict=True))
        yield Point(
            arch=test.arch,
            board=board or test.board,
            test=test.test,
            parameters=parameters,
            settings=settings,
            relative_cost=math.prod(float(value) for name, value in parameters if name not in parameters_by_name),
        )


def _axis_value(axis: str, text: str) -> str:
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"{axis}={text}: not a whole number above 0")
    return str(int(text))
