"""``nocbench etherbone decode``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from nocbench.commands import options
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

    from nocbench.etherbone.messages import Message

_STANDARD_INPUT = "-"


@click.command(short_help="Print the records of messages, or of a network capture.", options_metavar="[OPTIONS]")
@click.argument("arguments", metavar="HEX...|FILE.pcap|-", nargs=-1, required=True)
@click.option("--answer", "is_answer", is_flag=True, help="Read HEX as an answer, with zeros in place of writes.")
@click.option("--stream", "is_stream", is_flag=True, help="Read HEX as a stream: records, behind a header or none.")
@click.option(
    "--widths",
    default="32/32",
    show_default=True,
    metavar="BITS/BITS",
    help="Widths of addresses and data in a stream whose beginning does not have them: one without header, or with "
    "a probe.",
)
@options.as_json
def command(arguments: tuple[str, ...], is_answer: bool, is_stream: bool, widths: str, as_json: bool) -> int:
    """Print what is in Etherbone messages: header, records, and the reads and writes of each.

    HEX is a message in hexadecimal digits, with or without spaces. FILE.pcap is a network capture in the classic format
    (not pcapng), of Ethernet frames or raw IP packets; Etherbone is found in UDP by the number that its messages begin
    with. "-" is either of them from standard input, where each line of digits is a message.

    Numbers are hexadecimal, places and lengths decimal. The exit status is 1 if a message ends within a record.

    \b
    Examples:
      nocbench etherbone decode 4e6f1044 a80f0001 00008000 00010010
      nocbench etherbone decode --stream --answer 0e0f0100 00008000 cafebabe
      tcpdump -i lo -w - udp port 60368 | nocbench etherbone decode -
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import json
    from dataclasses import asdict

    from nocbench.etherbone.messages import lines_of, parse_widths

    formats = parse_widths(widths)
    is_whole = True
    documents = []
    for heading, message in _messages(arguments, is_answer, formats if is_stream else None):
        is_whole = is_whole and message.is_whole
        if as_json:
            documents.append({"heading": heading, "is_whole": message.is_whole, **asdict(message)})
            continue
        for line in filter(None, (heading, *lines_of(message))):
            click.echo(line)
    if as_json:
        click.echo(json.dumps(documents, indent=2))
    return ExitStatus.FINE if is_whole else ExitStatus.NEGATIVE_VERDICT


def _messages(
    arguments: tuple[str, ...], is_answer: bool, stream_format: tuple[int, int] | None
) -> Iterator[tuple[str, Message]]:
    """Yields messages, each with a line to print before it, or none."""
    from nocbench.etherbone.captures import is_capture, messages_in_capture
    from nocbench.etherbone.messages import parse_digits
    from nocbench.support.errors import InputError
    from nocbench.support.input_files import require_file

    def of_digits(text: str, place: str = "") -> tuple[str, Message]:
        from nocbench.etherbone.messages import decode_message

        try:
            return "", decode_message(parse_digits(text), is_answer=is_answer, stream_format=stream_format)
        except InputError as error:
            raise InputError(f"{place}: {error}" if place else str(error)) from None

    if arguments == (_STANDARD_INPUT,):
        standard_input = cast("io.BufferedReader", sys.stdin.buffer)
        if is_capture(standard_input.peek(4)[:4]):
            yield from messages_in_capture(standard_input, "standard input")
            return
        lines = standard_input.read().decode("ascii", errors="replace").splitlines()
        if not any(line.strip() for line in lines):
            raise InputError("standard input: expected hexadecimal digits or a capture, found nothing")
        yield from (
            of_digits(line, f"standard input: line {number}") for number, line in enumerate(lines, 1) if line.strip()
        )
        return
    path = Path(arguments[0])
    if len(arguments) == 1 and arguments[0] and (path.suffix in (".pcap", ".cap", ".pcapng") or path.exists()):
        require_file(path)
        try:
            with path.open("rb") as file:
                yield from messages_in_capture(file, str(path))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        return
    yield of_digits(" ".join(arguments))
