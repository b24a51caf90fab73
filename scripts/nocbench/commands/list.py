"""``nocbench list``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nocbench.points.swept_tests import SweptTest
    from nocbench.suites.suite import Suite

_MAX_NAMES = 3
# Keys of nocbench.schemas.all_schemas.SCHEMAS, repeated because a help text must not wait for that import.
_SCHEMAS = ("architecture", "policy", "program", "suite", "workload")


@click.command(name="list", short_help="Show the tests: ids, primitives, parameters, number of points.")
@click.argument("tests", nargs=-1, metavar="[TEST]...", shell_complete=options.complete_tests)
@options.architectures
@options.suite
@click.option("--upstream", is_flag=True, help="Show the tests of the tt-metal data-movement suite beside ours.")
@click.option(
    "--schema",
    type=click.Choice(_SCHEMAS),
    help="Show the JSON Schema of a kind of file instead, by which editors complete and check such files.",
)
@options.as_json
def command(
    tests: tuple[str, ...],
    architectures: tuple[str, ...],
    suite: Suite | None,  # the suite's tests are the catalogue in use
    upstream: bool,
    schema: str | None,
    as_json: bool,
) -> None:
    """Show the tests with their ids, primitives, parameters and number of points.

    TEST is a name, an id or a glob, or the name of a primitive, as of 'nocbench run'; without any, all tests are
    shown. In files and pipes every test is one line. On a terminal that is too narrow for that, there is a table per
    architecture, and the parameters of the tests that were named follow.

    With --upstream, TEST is an id or a name of the tt-metal suite, or our name. The table has the ids and names of the
    suite, and our ids and names. It says which tests are not here yet, and why some have no counterpart.

    \b
    Examples:
      nocbench list --arch wormhole_b0
      nocbench list dram_unary
      nocbench list "One to*" --json
      nocbench list --suite demo
      nocbench list --upstream "*Virtual Channels"
      nocbench list --schema program > program.schema.json
    """  # noqa: D301 - click reads the \b as "do not wrap"
    if schema is not None:
        import json

        from nocbench.schemas.all_schemas import SCHEMAS

        click.echo(json.dumps(SCHEMAS[schema](), indent=2))
        return
    if upstream:
        _list_upstream(tests, architectures, suite, as_json=as_json)
        return

    from collections import Counter

    from nocbench.points.selection import select_tests
    from nocbench.support.units import plural

    found = select_tests(tests, architectures=architectures)
    if as_json:
        import json
        from dataclasses import asdict

        described = [asdict(test) | {"compiler": _compiler_of(test)[0]} for test in found]
        click.echo(json.dumps(described, indent=2))
        return

    for (compiler, why_none), num_tests in Counter(map(_compiler_of, found)).items():
        if compiler != "":
            by = f"by {compiler}" if compiler else f"and there is no compiler: {why_none}"
            remark(f"kernels of {plural(num_tests, 'test')} are compiled, {by}")

    from nocbench.points.selection import TIERS
    from nocbench.support.tables import fits, print_table

    columns = ["arch", "id", "test", "primitive", "kernels", *(f"{tier} tier" for tier in TIERS), "parameters"]
    rows = [
        [
            test.arch,
            test.test_id,
            test.test,
            test.primitive,
            ", ".join(test.kernels),
            *(test.num_points(tier) for tier in TIERS),
            ", ".join(f"{parameter.name}={parameter.default}" for parameter in test.parameters),
        ]
        for test in found
    ]
    if fits(columns, rows):
        print_table(columns, rows)
        return
    for number, arch in enumerate(dict.fromkeys(test.arch for test in found)):
        if number:
            click.echo("")
        print_table(
            ["id", "test", "primitive", *TIERS],
            [
                [test.test_id, test.test, test.primitive, *(test.num_points(tier) for tier in TIERS)]
                for test in found
                if test.arch == arch
            ],
            title=f"{arch}: tests, and their points in each tier",
        )
    if tests:
        _print_parameters(found)
    else:
        click.echo("\n'nocbench list TEST' shows the parameters of a test")


def _compiler_of(test: SweptTest) -> tuple[str | None, str]:
    """Returns the compiler of a test's kernels, "" if none is compiled; or None and the reason."""
    from nocbench.points.catalogue import in_use
    from nocbench.support.errors import InputError

    try:
        return in_use().compiler_of(test.test), ""
    except InputError as error:
        return None, str(error).partition("\n")[0]


def _list_upstream(
    patterns: Sequence[str], architectures: Sequence[str], suite: Suite | None, *, as_json: bool
) -> None:
    from nocbench.published.upstream_listing import list_upstream
    from nocbench.support.errors import InputError
    from nocbench.support.tables import print_table

    if suite is not None:
        raise InputError("--upstream: expected the tests of nocbench, found --suite")
    listed = list_upstream(patterns, architectures)
    if as_json:
        import json
        from dataclasses import asdict

        click.echo(json.dumps([asdict(test) for test in listed], indent=2))
        return
    print_table(
        ["upstream id", "upstream name", "archs", "id", "test", "parameters", "state"],
        [
            [
                *(test.upstream_id, test.upstream_name, ", ".join(test.archs)),
                *(test.test_id, test.test, test.params, test.state),
            ]
            for test in listed
        ],
    )


def _print_parameters(tests: Iterable[SweptTest]) -> None:
    """Prints the parameters of each test other than its axes; tests that differ only in defaults share a table."""
    from nocbench.support.tables import print_table

    similar: dict[tuple[tuple[str, str], ...], list[SweptTest]] = {}
    for test in tests:
        key = tuple((parameter.name, parameter.meaning) for parameter in test.parameters)
        similar.setdefault(key, []).append(test)
    for key, group in similar.items():
        names = list(dict.fromkeys(test.test for test in group))
        defaults = [
            " or ".join(dict.fromkeys(test.parameters[position].default for test in group))
            for position in range(len(key))
        ]
        click.echo("")
        print_table(
            ["parameter", "default", "meaning"],
            [[name, default, meaning] for (name, meaning), default in zip(key, defaults, strict=True)],
            title=", ".join(names) if len(names) <= _MAX_NAMES else f"{names[0]} and {len(names) - 1} more tests",
        )
