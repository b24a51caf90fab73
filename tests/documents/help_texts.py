"""Examples of `nocbench COMMAND --help` as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from document_blocks import Command, DocumentError, Instruction

from nocbench.command_line import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

_INDENT = 4 * " "
_RESULTS = "nocbench run 4 --arch blackhole --tier quick -o results.csv"
_SUITE = "nocbench init demo && nocbench run --suite demo --tier quick -o results.csv -j 1"
STAND_INS = {
    "nocbench accept results.csv --baseline": f"as {_RESULTS} && nocbench accept results.csv "
    "--baseline new.csv --reason x",
    "nocbench accept results.csv --suite": f'as {_SUITE} && nocbench accept results.csv --suite demo --reason "x"',
    "nocbench accuracy": "as nocbench run 4 --arch blackhole -o results.csv && nocbench accuracy results.csv "
    '--test "One to One*" --bounds median=0.8,p90=3,max=8',
    "nocbench check results.csv --baseline": f"as {_RESULTS} && nocbench check results.csv --baseline "
    "tests/gate/quick.csv --policy tests/gate/policy.yaml -o gate; status 3",
    "nocbench check results.csv --suite": f"as {_SUITE} && nocbench accept results.csv --suite demo --reason x && "
    "nocbench check results.csv --suite demo",
    'nocbench heatmap "One to One Packet Sizes" --arch blackhole -a num_transactions=1 ': "as nocbench run 4 "
    "--arch blackhole -a num_transactions=1 -a call_size=64 --detail details && nocbench heatmap "
    '"One to One Packet Sizes" --arch blackhole -a num_transactions=1 -a call_size=64 --detail details',
    "nocbench optimise examples/flows/reshard.csv": "as nocbench optimise examples/flows/reshard.csv --vary order "
    "--arch blackhole --runs 20",
    "nocbench optimise examples/flows/matmul_operands.csv": "as nocbench optimise examples/flows/matmul_operands.csv "
    "--arch wormhole_b0 --vary noc --vary placement -o best.csv --runs 20",
    "nocbench compare before.csv": f"as {_RESULTS} && cp results.csv before.csv && nocbench run 4 --arch blackhole "
    "--tier quick -o after.csv && nocbench compare before.csv after.csv --only slower",
    "nocbench compare exact.csv": "as cp before.csv exact.csv && nocbench run 4 --arch blackhole --tier quick "
    "--accuracy fast -o fast.csv && nocbench compare exact.csv fast.csv",
    "nocbench host test_one_to_one.cpp": "as nocbench host examples/host/loopback.cpp --arch wormhole_b0 -o rows.csv",
    "nocbench upstream": "not run, it needs a checkout of tt-metal (tests/python/host/test_host_suite.py)",
    "nocbench gate": "not run, it runs another revision (tests/python/gate)",
    "nocbench run --suite demo": "in small",
    "nocbench run --suite demo --tier quick": "as nocbench init demo && nocbench run --suite demo --tier quick",
    "nocbench plot --suite demo": "as nocbench init demo2 && nocbench run --suite demo2 --shard 20/20 -o demo2.csv && "
    "nocbench plot demo2.csv --suite demo2",
    'nocbench run "One to One*"': "in small",
    "nocbench kernel --elf": "not run, kernels for the card need tt-metal (tests/python/programs/test_card_kernels.py)",
    "nocbench list --suite demo": "as nocbench init demo && nocbench list --suite demo",
    "nocbench run --shard 1/2": "as nocbench run 4 --arch blackhole --tier quick --shard 1/2 -o part1.csv",
    "nocbench run --shard 2/2": "as nocbench run 4 --arch blackhole --tier quick --shard 2/2 -o part2.csv",
    "nocbench plot results.csv": f"as {_RESULTS} && nocbench plot results.csv -o pages",
    "nocbench roofline results.csv": f"as {_RESULTS} && nocbench roofline results.csv "
    "--test 'One to One*' -o roofline.svg",
    "nocbench roofline rows.csv": "as nocbench host examples/compute/add.cpp --arch blackhole -o rows.csv && nocbench "
    "roofline rows.csv --csv points.csv",
    "nocbench report results.csv --baseline": f"as {_RESULTS} && nocbench report results.csv --baseline "
    "tests/gate/quick.csv -o report.html; status 3",
    "nocbench report --gate": "not run, it needs a gate (tests/python/reports)",
    "nocbench report results.csv --suite": f"as {_SUITE} && nocbench report results.csv --suite demo",
    "nocbench report results.csv --export": f"as {_RESULTS} && nocbench report results.csv --export bencher "
    "-o bencher.json",
    "nocbench run --costs": "in small",
    "nocbench run one_to_one": "in small",
    "nocbench run all_to_all --accuracy auto": "in small",
    "nocbench run --shard 1/4": "as nocbench run 4 --arch blackhole --tier quick --shard 1/4 -o part1.csv",
    "nocbench run --cluster": "not run, it needs a cluster (tests/python/running/test_dask.py)",
    "nocbench shmem hello.c": "as nocbench shmem examples/shmem/ring.c -n 16",
    "nocbench shmem pi.c": "as nocbench shmem examples/shmem/ring.c -n 4 -I examples -D DIGITS=6 --lines -- 100000",
    "nocbench site plots/results": "not run, it takes longer than all others together",
    "nocbench site results.csv": f"as {_RESULTS} && nocbench site results.csv --base results.csv -o public",
    "nocbench serve": "not run, docs/serving.md runs it",
    "nocbench history add": "as nocbench history add tests/gate/quick.csv --revision v1 --date 2026-11-28 "
    "--file history.jsonl",
    "nocbench etherbone serve": "not run, it serves until it is stopped (docs/etherbone.md, tests/python/etherbone)",
}
"""How examples are run, by their beginning: as a marker in a document says it."""


def help_documents() -> Iterator[tuple[str, list[Command]]]:
    """Yields each command whose help text has examples, with these examples.

    Raises:
    DocumentError: A stand-in applies to no example.
    """
    unused = set(STAND_INS)
    for name, text in _help_texts("nocbench", cli, None):
        commands = []
        for number, example in _examples(text):
            matching = [beginning for beginning in STAND_INS if example.startswith(beginning)]
            stand_in = max(matching, key=len) if matching else None
            unused.discard(stand_in or "")
            instruction = Instruction.parse(STAND_INS[stand_in]) if stand_in else Instruction()
            commands.append(Command(name, number, example, instruction))
        if commands:
            yield name, commands
    if unused:
        raise DocumentError(f"stand-ins for no example of --help: {', '.join(sorted(unused))}")


def _help_texts(name: str, command: click.Command, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    context = click.Context(command, info_name=name.rpartition(" ")[2], parent=parent)
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _help_texts(f"{name} {inner}", found, context)


def _examples(text: str) -> Iterator[tuple[int, str]]:
    """Yields the lines that begin with "nocbench", joined with their continuation lines, and their numbers."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        first = number
        example = lines[number].removeprefix(_INDENT)
        while example.endswith("\\"):
            number += 1
            example = example[:-1].rstrip() + " " + lines[number].strip()
        number += 1
        if example.startswith("nocbench "):
            yield first + 1, example
