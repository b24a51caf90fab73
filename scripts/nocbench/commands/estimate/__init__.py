"""``nocbench estimate``."""

from __future__ import annotations

import click

from nocbench.commands import options


@click.command(name="estimate", short_help="Estimate the time of a pattern of data movement.")
@click.argument("pattern", required=False)
@options.single_arch
@options.board
@click.option("--cores", metavar="CORES", help="Cores that take part: 4x4, all, or a number, as the pattern has it.")
@click.option("--bytes", "size", metavar="SIZE", help="Bytes of a call; 2KiB, or a word, if none is given.")
@click.option("--calls", type=click.IntRange(min=1), default=16, show_default=True, help="Number of calls.")
@click.option("-a", "assignments", multiple=True, metavar="NAME=VALUE", help="Further parameter, such as noc=1.")
@options.single_settings
@click.option(
    "--accuracy",
    type=click.Choice(["exact", "fast", "auto"]),
    default="auto",
    show_default=True,
    help="auto: exact for what takes less than a second.",
)
@options.as_json
def command(
    pattern: str | None,
    arch: str,
    board: str,
    cores: str | None,
    size: str | None,
    calls: int,
    assignments: tuple[str, ...],
    settings: tuple[str, ...],
    accuracy: str,
    as_json: bool,
) -> None:
    """Estimate the time of a pattern of data movement, by simulating it.

    Prints cycles, bandwidth, the resource that limits it, and the error of the model for this pattern against published
    measurements of silicon. Without PATTERN, the patterns are listed.

    \b
    Examples:
      nocbench estimate
      nocbench estimate multicast --arch blackhole --cores 4x4 --bytes 4KiB
      nocbench estimate unicast --bytes 64B -a noc=1 -a destination=3,3
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.estimating.patterns import PATTERNS

    if pattern is None:
        width = max(map(len, PATTERNS))
        for name, known in PATTERNS.items():
            click.echo(f"{name:<{width}}  {known.about}")
        return
    from nocbench.estimating.estimate import estimate
    from nocbench.points.axes import parse_choices

    axes, fields = parse_choices(assignments, settings)
    found = estimate(
        pattern,
        arch=arch or "wormhole_b0",
        board=board,
        cores=cores,
        bytes=size,
        calls=calls,
        accuracy=accuracy,
        settings=dict(fields),
        **axes,
    )
    if as_json:
        import json

        click.echo(json.dumps(found.values(), indent=2))
    else:
        click.echo(str(found))
