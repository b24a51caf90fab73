"""``nocbench list``."""

from __future__ import annotations

import click

from nocbench.commands import options


@click.command(name="list", short_help="Show the tests: ids, primitives, parameters, number of points.")
@click.option("--arch", metavar="A", help="Only those of one architecture.")
@options.as_json
def command(arch: str | None, as_json: bool) -> None:
    """Show the tests with their ids, primitives, parameters and number of points.

    \b
    Example:
      nocbench list --arch wormhole_b0
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import nocbench

    tests = nocbench.list_tests(arch)
    if as_json:
        import json
        from dataclasses import asdict

        click.echo(json.dumps([asdict(test) for test in tests], indent=2))
        return

    from nocbench.points.selection import TIERS
    from nocbench.support.tables import print_table

    print_table(
        ["arch", "id", "test", "primitive", "kernels", *(f"{tier} tier" for tier in TIERS), "parameters"],
        [
            [
                test.arch,
                test.test_id,
                test.test,
                test.primitive,
                ", ".join(test.kernels),
                *(test.num_points(tier) for tier in TIERS),
                ", ".join(f"{parameter.name}={parameter.default}" for parameter in test.parameters),
            ]
            for test in tests
        ],
    )
