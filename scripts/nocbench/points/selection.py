"""Selection of the points to run: tests by name, id or pattern, and the product of their axes."""

from __future__ import annotations

import hashlib
import itertools
import math
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from nocbench.architectures.description import describe_architecture
from nocbench.architectures.files import require_architecture
from nocbench.points.axes import parse_values
from nocbench.points.catalogue import BUILT_IN, in_use
from nocbench.points.leaving_out import known_parameters, with_parameters, without_refused_values
from nocbench.points.point import Point
from nocbench.points.refusals import parameter_mistakes
from nocbench.points.settings import MAX_POINTS, combine_settings, require_settings
from nocbench.points.swept_tests import product_without, tests_not_offered
from nocbench.support.errors import InputError, Mistakes, NothingMatchedError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from nocbench.points.settings import Settings
    from nocbench.points.swept_tests import SweptTest

TIERS = ("full", "quick")

_NEAREST_IDS = 2
_LIST_NAMES_ALL = "'nocbench list' names them all"


def select_points(
    patterns: Sequence[str],
    *,
    exclude: Sequence[str] = (),
    architectures: Sequence[str] = (),
    board: str = "",
    tier: str = "full",
    axes: Mapping[str, str] | None = None,
    settings: Sequence[tuple[str, str]] = (),
    say: Callable[[str], None] = lambda _: None,
) -> list[Point]:
    """Returns the points of a run, in the order of results: by settings, architecture, test id, and axes.

    Args:
        patterns: names, ids or globs of tests, or names of primitives; empty: all tests.
        exclude: names, ids, globs or primitives of tests to leave out.
        architectures: names of architectures; empty: all architectures that have the board.
        board: name of the board; empty: the default board of each architecture.
        tier: "full" or "quick".
        axes: values of axes and parameters, in the syntax of `-a`, instead of the test's own.
        settings: fields of the board or architecture to change, with values in the syntax of `--set`; each combination
            of values has all points.
        say: function that receives notes on omissions: see :mod:`nocbench.points.leaving_out`.

    Raises:
        InputError: an unknown name, a test for another kind of architecture, or too many points. The message lists all
            wrong names of axes, parameters and settings, and all values that can be refused without a run.
        NothingMatchedError: a glob that no test matches, or a named architecture without any test to run.
    """
    if tier not in TIERS:
        raise InputError(f"no tier is called '{tier}'; there are: {', '.join(TIERS)}")
    mistakes = Mistakes()
    combinations: list[Settings] = []
    with mistakes.noted():
        combinations = combine_settings(settings)
    tests = select_tests(patterns, exclude=exclude, architectures=architectures, board=board)
    with mistakes.noted():
        require_settings(list(dict.fromkeys((test.arch, board or test.board) for test in tests)), combinations)
    axes = axes or {}

    def is_named(test: SweptTest) -> bool:
        return any(_is_name_of(test, pattern) for pattern in patterns)

    tests = with_parameters(tests, axes, is_named, say)
    swept = [_swept_values(test, tier, axes, mistakes) for test in tests]
    if axes and not mistakes:
        given = [name for name in axes if name != "num_transactions"]
        tests, swept = without_refused_values(tests, swept, given, is_named, say, board=board, settings=combinations[0])
    if mistakes:  # complete the list with mistakes that the simulator finds
        for complaint in parameter_mistakes(_some_points(tests, swept, board)):
            mistakes.note(complaint)
        mistakes.complain()
    # A bound, without combinations that are left out: too many of them would take long to list.
    count = len(combinations) * sum(math.prod(map(len, values_of.values())) for values_of in swept)
    if count > MAX_POINTS:
        raise InputError(f"expected at most {MAX_POINTS:,} points in a run, found {count:,}: choose fewer values")
    # Settings vary slowest: each combination of settings is a whole run.
    points = [
        point
        for combination in combinations
        for test, values_of in zip(tests, swept, strict=True)
        for point in _points_of_test(test, board, _products(test, tier, values_of, axes), combination)
    ]
    if not points:
        raise NothingMatchedError(f"{tests[0].test}: no point of the {tier} tier has these values of its axes")
    return points


def select_tests(
    patterns: Sequence[str], *, exclude: Sequence[str] = (), architectures: Sequence[str] = (), board: str = ""
) -> list[SweptTest]:
    """Returns tests by architecture and id. The arguments are those of :func:`select_points`.

    Raises:
        InputError: an unknown name, or a test for another kind of architecture.
        NothingMatchedError: a glob that no test matches, or a named architecture without any test.
    """
    chosen = select_architectures(architectures, board)
    catalogue = [test for arch in chosen for test in in_use().list_tests(arch)]
    excluded = {(test.arch, test.test) for test in _select_tests(catalogue, exclude, chosen)} if exclude else set()
    tests = [test for test in _select_tests(catalogue, patterns, chosen) if (test.arch, test.test) not in excluded]
    # Every named architecture needs a test to run; without names, one test on any is enough.
    lacking = [arch for arch in chosen if all(test.arch != arch for test in tests)]
    if lacking and (architectures or not tests):
        _raise_nothing_to_run(lacking[0], patterns, is_left_out=bool(excluded))
    return tests


def selection_digest(points: Iterable[Point], *, whole: bool) -> str:
    """Returns a hash of points, of their order, and of `whole`."""
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
    """Returns the only point of a selection. The arguments are those of :func:`select_points`.

    Raises:
        InputError: an unknown name, or more than one point; the message says what remains to be chosen.
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
    """Returns the tests that match patterns, in the order of the catalogue.

    Raises:
        InputError: a pattern without wildcards that matches no test.
        NothingMatchedError: a glob that matches no test.
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


def _is_name_of(test: SweptTest, pattern: str) -> bool:
    """Returns True if a pattern is the name or the id of a test, as opposed to a primitive or a glob."""
    return int(pattern) == test.test_id if pattern.isdigit() else pattern.casefold() == test.test.casefold()


def _matches(test: SweptTest, pattern: str) -> bool:
    if _is_name_of(test, pattern):
        return True
    if pattern.isdigit():
        return False
    pattern = pattern.casefold()
    names = (test.test.casefold(), test.primitive.casefold())
    return pattern == names[1] or any(fnmatchcase(name, pattern) for name in names)


def _is_glob(pattern: str) -> bool:
    return any(character in pattern for character in "*?[")


def _refuse_other_kinds(pattern: str, architectures: Sequence[str]) -> None:
    """Raises InputError if a pattern only matches tests that are not offered, or for other kinds of architectures."""
    if _is_glob(pattern):
        return
    catalogue = in_use()
    others = [arch for arch in catalogue.architecture_names() if arch not in architectures]
    meant = [test for arch in others for test in catalogue.list_tests(arch) if _matches(test, pattern)]
    if not meant:
        return
    names = list(dict.fromkeys(test.test for test in meant))
    if catalogue is not BUILT_IN:
        archs = ", ".join(dict.fromkeys(test.arch for test in meant))
        raise InputError(
            f"'{names[0] if len(names) == 1 else pattern}' is for {archs}, not for {', '.join(architectures)}"
        )
    for arch in architectures:
        for name, reason in tests_not_offered(arch).items():
            if name in names:
                raise InputError(f"'{name}' is not offered for {arch}: {reason}")
    kinds: dict[str, list[str]] = {}
    for kind, arch in dict.fromkeys((test.kind, test.arch) for test in meant):
        kinds.setdefault(kind, []).append(arch)
    meant_kinds = " or ".join(f"{kind} ({', '.join(archs)})" for kind, archs in kinds.items())
    found = " or ".join(f"{arch}, of kind {describe_architecture(arch).kind}" for arch in architectures)
    raise InputError(
        f"'{names[0] if len(names) == 1 else pattern}' is for architectures of kind {meant_kinds}, not for {found}"
    )


def _raise_nothing_to_run(arch: str, patterns: Sequence[str], *, is_left_out: bool) -> None:
    """Raises an error with the reason why no test runs on an architecture, although each pattern matches a test."""
    tests = in_use().list_tests(arch)
    for pattern in patterns:
        if not any(_matches(test, pattern) for test in tests):
            _refuse_other_kinds(pattern, [arch])
    if not tests:
        raise NothingMatchedError(f"there are no tests for {arch}, of kind {describe_architecture(arch).kind}")
    if is_left_out:
        raise NothingMatchedError(f"nothing is left to run on {arch}: all tests that match are excluded")
    raise NothingMatchedError(f"no test for {arch} matches {' or '.join(repr(pattern) for pattern in patterns)}")


def _raise_no_match(catalogue: Iterable[SweptTest], pattern: str) -> None:
    tests = list(catalogue)
    names = dict.fromkeys([test.test for test in tests] + [test.primitive for test in tests])
    hint = did_you_mean(pattern, names) or f"; {_LIST_NAMES_ALL}"
    if _is_glob(pattern):
        raise NothingMatchedError(f"no test matches '{pattern}'{hint}")
    if pattern.isdigit():
        by_id = {test.test_id: test.test for test in tests}
        nearest = sorted(sorted(by_id, key=lambda test_id: abs(test_id - int(pattern)))[:_NEAREST_IDS])
        described = " or ".join(f"{test_id}, '{by_id[test_id]}'" for test_id in nearest)
        raise InputError(f"no test has the id {pattern}; the nearest are {described}; {_LIST_NAMES_ALL}")
    raise InputError(f"no test is called '{pattern}'{hint}")


def select_architectures(architectures: Sequence[str], board: str) -> list[str]:
    """Returns the chosen architectures, or all; with a chosen board, only those that have the board.

    Raises:
        InputError: no such architecture, or no such board.
    """
    chosen = list(dict.fromkeys(architectures)) or in_use().architecture_names()
    for arch in chosen:
        require_architecture(arch)
    if not board:
        return chosen
    boards = {arch: describe_architecture(arch).boards for arch in chosen}
    having = [arch for arch in chosen if board in boards[arch]]
    # Named architectures must have the board. Without names, the board selects the architectures.
    lacking = [arch for arch in chosen if arch not in having]
    if having and not (architectures and lacking):
        return having
    known = list(dict.fromkeys(itertools.chain.from_iterable(boards[arch] for arch in lacking)))
    where = f" of {', '.join(lacking)}" if architectures else ""
    hint = did_you_mean(board, known) or f"; there are: {', '.join(known)}"
    raise InputError(f"no board{where} is called '{board}'{hint}")


def _swept_values(test: SweptTest, tier: str, axes: Mapping[str, str], mistakes: Mistakes) -> dict[str, list[str]]:
    """Returns the values of parameters and axes whose product gives a test's points, without wrong names and values."""
    own_axes = test.axes[tier]
    parameters_by_name = {parameter.name: parameter for parameter in test.parameters}
    known = known_parameters(test)
    # Parameters vary slowest and axes fastest, in the order of published tables: by count, then by size.
    swept: dict[str, list[str]] = {}
    for name, text in axes.items():
        if name not in known:
            there_are = f"; there are: {', '.join(known)}" if known else "; it has none"
            hint = did_you_mean(name, known) or there_are
            mistakes.note(f"'{test.test}' on {test.arch} has no parameter '{name}'{hint}", about=f"parameter {name}")
        elif name not in own_axes:
            with mistakes.noted():
                values = parse_values(name, text, holds_commas=parameters_by_name[name].holds_commas)
                swept[name] = axis_values(name, values, least=0) if parameters_by_name[name].is_number else values
    for axis, default_values in own_axes.items():
        swept[axis] = [str(value) for value in default_values]
        if axis in axes:
            is_parameter = axis in parameters_by_name
            with mistakes.noted():
                holds_commas = is_parameter and parameters_by_name[axis].holds_commas
                chosen = parse_values(axis, axes[axis], holds_commas=holds_commas)
                if not is_parameter:
                    chosen = axis_values(axis, chosen)
                elif parameters_by_name[axis].is_number:
                    chosen = axis_values(axis, chosen, least=0)
                swept[axis] = chosen
    return swept


def _some_points(tests: Sequence[SweptTest], swept: Sequence[Mapping[str, list[str]]], board: str) -> Iterator[Point]:
    """Yields points that cover each value of each parameter: one with all first values, one per further value."""
    for test, values_of in zip(tests, swept, strict=True):
        first = {name: values[0] for name, values in values_of.items()}
        for name, values in values_of.items():
            for value in values if name not in test.axes["full"] else values[:1]:
                yield Point(test.arch, board or test.board, test.test, tuple((first | {name: value}).items()))


def _products(
    test: SweptTest, tier: str, swept: Mapping[str, list[str]], axes: Mapping[str, str]
) -> list[tuple[tuple[str, str], ...]]:
    """Returns the parameters of a test's points. Combinations whose values were all asked for are not left out."""
    return product_without(swept, [part for part in test.left_out.get(tier, ()) if not part.keys() <= axes.keys()])


def _points_of_test(
    test: SweptTest, board: str, products: Iterable[tuple[tuple[str, str], ...]], settings: Settings
) -> Iterable[Point]:
    # Parameters that are no numbers do not contribute to the estimated cost.
    without_cost = {parameter.name for parameter in test.parameters if not parameter.is_number}
    for parameters in products:
        yield Point(
            arch=test.arch,
            board=board or test.board,
            test=test.test,
            parameters=parameters,
            settings=settings,
            # NoC 0 and channel 0 are as much work as others
            relative_cost=math.prod(max(1.0, float(value)) for name, value in parameters if name not in without_cost),
            catalogue=in_use(),
        )


def axis_values(axis: str, texts: Sequence[str], *, least: int = 1) -> list[str]:
    """Returns the values of an axis as written in results. Raises InputError with all values that are no numbers."""
    mistakes = Mistakes()
    for text in texts:
        if not text.isdecimal() or int(text) < least:
            mistakes.note(f"{axis}={text}: not a whole number{' above 0' if least else ''}")
    mistakes.complain()
    return [str(int(text)) for text in texts]
