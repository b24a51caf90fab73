"""Decoding of hexadecimal digits by `nocbench etherbone decode`."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

from nocbench import command_line
from nocbench.etherbone.messages import decode_message, lines_of, parse_digits, parse_widths
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

READ_AND_STATUS = "4e6f1044 a00f0001 00008000 00010010 e80f0001 00008001 00000004"
READ_AND_STATUS_ANSWER = "4e6f1444 060f0100 00008000 cafebabe 0e0f0100 00008001 00000000"


def lines(digits: str, *, is_answer: bool = False, stream: tuple[int, int] | None = None) -> list[str]:
    return list(lines_of(decode_message(parse_digits(digits), is_answer=is_answer, stream_format=stream)))


@pytest.mark.parametrize(
    ("digits", "expected"),
    [
        (
            READ_AND_STATUS,
            [
                "message of 28 bytes: version 1, addresses of 32 bits, data of 32 bits",
                "  at 4: record, BCA RFF, select 0f, 1 read",
                "    read 00010010 to configuration 00008000",
                "  at 16: record, BCA RCA RFF CYC, select 0f, 1 read",
                "    read configuration 00000004 to configuration 00008001",
            ],
        ),
        (
            READ_AND_STATUS_ANSWER,
            [
                "message of 28 bytes: version 1, addresses of 32 bits, data of 32 bits, no reads (NR)",
                "  at 4: record, WCA WFF, select 0f, 1 write",
                "    write configuration 00008000 = cafebabe",
                "  at 16: record, CYC WCA WFF, select 0f, 1 write",
                "    write configuration 00008001 = 00000000",
            ],
        ),
        (  # the address grows by the port's width, and wraps
            "4e6f1444 080f0200 fffffffc 00000001 00000002",
            [
                "message of 20 bytes: version 1, addresses of 32 bits, data of 32 bits, no reads (NR)",
                "  at 4: record, CYC, select 0f, 2 writes",
                "    write fffffffc = 00000001",
                "    write 00000000 = 00000002",
            ],
        ),
        (  # a FIFO: the address is constant
            "4e6f1444 0a0f0200 00010010 00000001 00000002",
            [
                "message of 20 bytes: version 1, addresses of 32 bits, data of 32 bits, no reads (NR)",
                "  at 4: record, CYC WFF, select 0f, 2 writes",
                "    write 00010010 = 00000001",
                "    write 00010010 = 00000002",
            ],
        ),
        (  # read values go to consecutive addresses
            "4e6f1044 080f0002 00000100 00010010 00020020",
            [
                "message of 20 bytes: version 1, addresses of 32 bits, data of 32 bits",
                "  at 4: record, CYC, select 0f, 2 reads",
                "    read 00010010 to 00000100",
                "    read 00020020 to 00000104",
            ],
        ),
        (  # LiteX: its eight header bytes are an empty record here
            "4e6f1044 00000000 000f0001 00000007 00004000",
            [
                "message of 20 bytes: version 1, addresses of 32 bits, data of 32 bits",
                "  at 4: empty record, no flags",
                "  at 8: record, no flags, select 0f, 1 read",
                "    read 00004000 to 00000007",
            ],
        ),
        (
            "4e6f1444 08050100 00010010 00000001",
            [
                "message of 16 bytes: version 1, addresses of 32 bits, data of 32 bits, no reads (NR)",
                "  at 4: record, CYC, select 05 (not valid), 1 write",
                "    write 00010010 = 00000001",
            ],
        ),
        (
            "4e6f1044 080f0000",
            [
                "message of 8 bytes: version 1, addresses of 32 bits, data of 32 bits",
                "  at 4: empty record, CYC, select 0f",
            ],
        ),
        ("4e6f1044", ["message of 4 bytes: version 1, addresses of 32 bits, data of 32 bits"]),
        (  # 16-bit addresses, 8-bit data
            "4e6f1421 08010100 1234 005a",
            [
                "message of 12 bytes: version 1, addresses of 16 bits, data of 8 bits, no reads (NR)",
                "  at 4: record, CYC, select 01, 1 write",
                "    write 1234 = 5a",
            ],
        ),
        (  # 64 bits: header and record header are padded to eight bytes
            "4e6f1488 00000000 08ff0100 00000000 00000000 00010010 01234567 89abcdef",
            [
                "message of 32 bytes: version 1, addresses of 64 bits, data of 64 bits, no reads (NR)",
                "  at 8: record, CYC, select ff, 1 write",
                "    write 0000000000010010 = 0123456789abcdef",
            ],
        ),
        (
            "4e6f11ff 00000086",
            [
                (
                    "probe of 8 bytes: version 1, identifier 00000086, addresses of 8, 16, 32 or 64 bits, "
                    "data of 8, 16, 32 or 64 bits"
                )
            ],
        ),
        (
            "4e6f1644 00000086",
            [
                (
                    "answer to a probe of 8 bytes: version 1, identifier 00000086, addresses of 32 bits, "
                    "data of 32 bits, no reads (NR)"
                )
            ],
        ),
        (  # LiteX
            "4e6f1144 00000000 00000000",
            [
                "probe of 12 bytes: version 1, identifier 00000000, addresses of 32 bits, data of 32 bits",
                "  at 8: 4 bytes, which nobody reads",
            ],
        ),
        (
            "4e6f10c4 a80f0001",
            [
                (
                    "message of 8 bytes: version 1, addresses of 32 or 64 bits, data of 32 bits, which is no width of "
                    "records: slaves ignore it"
                ),
                "  at 4: 4 bytes, which nobody reads",
            ],
        ),
    ],
)
def test_messages(digits: str, expected: list[str]) -> None:
    assert lines(digits) == expected


@pytest.mark.parametrize(
    ("digits", "last"),
    [
        ("4e6f1044 a80f0001 00008000", "  at 4: incomplete record: 8 bytes of 12"),
        ("4e6f1044 a80f0001 00008000 000100", "  at 4: incomplete record: 11 bytes of 12"),
        ("4e6f1044 a8", "  at 4: incomplete record: 1 byte, and 4 are needed to say how long it is"),
        (
            "4e6f1188 0000",
            "probe of 6 bytes: version 1, addresses of 64 bits, data of 64 bits, incomplete header: 6 of 8 bytes",
        ),
        (
            "4e6f1088 0000",
            "message of 6 bytes: version 1, addresses of 64 bits, data of 64 bits, incomplete header: 6 of 8 bytes",
        ),
    ],
)
def test_messages_that_end_too_early(digits: str, last: str) -> None:
    message = decode_message(parse_digits(digits))
    assert not message.is_whole
    assert list(lines_of(message))[-1] == last


def test_answers_have_zeros_in_place_of_writes() -> None:
    digits = "4e6f1444 00000000 00000000 00000000 00000000 0e0f0100 00008001 00000000"
    assert lines(digits, is_answer=True) == [
        "answer of 32 bytes: version 1, addresses of 32 bits, data of 32 bits, no reads (NR)",
        "  at 4: 4 words of zeros, in place of writes or empty records",
        "  at 20: record, CYC WCA WFF, select 0f, 1 write",
        "    write configuration 00008001 = 00000000",
    ]


def test_answers_with_an_odd_number_of_short_words() -> None:
    """Three words of two bytes are one and a half empty records."""
    assert lines("4e6f1422 0000 0000 0000 0e030100 8001 beef", is_answer=True) == [
        "answer of 18 bytes: version 1, addresses of 16 bits, data of 16 bits, no reads (NR)",
        "  at 4: 3 words of zeros, in place of writes or empty records",
        "  at 10: record, CYC WCA WFF, select 03, 1 write",
        "    write configuration 8001 = beef",
    ]


def test_flags_without_any_but_the_select_are_no_zeros() -> None:
    """Answers to LiteX clients set no flags."""
    assert lines("4e6f1444 00000000 000f0100 00000007 12345678", is_answer=True)[1:] == [
        "  at 4: 1 word of zeros, in place of writes or empty records",
        "  at 8: record, no flags, select 0f, 1 write",
        "    write 00000007 = 12345678",
    ]


def test_streams() -> None:
    record = "a80f0001 00008000 00010010"
    assert lines(record, stream=(4, 4)) == [
        "stream of 12 bytes without header: addresses of 32 bits, data of 32 bits",
        "  at 0: record, BCA RFF CYC, select 0f, 1 read",
        "    read 00010010 to configuration 00008000",
    ]
    assert lines(f"4e6f11ff 00000086 {record}", stream=(4, 4)) == [
        (
            "stream that begins with a probe of 20 bytes: version 1, identifier 00000086, addresses of 8, 16, 32 or 64 "
            "bits, data of 8, 16, 32 or 64 bits"
        ),
        "  at 8: record, BCA RFF CYC, select 0f, 1 read",
        "    read 00010010 to configuration 00008000",
    ]
    assert lines(f"4e6f1044 {record}", stream=(8, 8))[1] == "  at 4: record, BCA RFF CYC, select 0f, 1 read"
    assert lines("4e6f1644 00000086 0e0f0100 00008000 cafebabe", stream=(4, 4))[0].startswith(
        "stream that begins with the answer to a probe of 20 bytes: "
    )


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("4e6f1044", b"\x4e\x6f\x10\x44"),
        ("4E:6F:10:44", b"\x4e\x6f\x10\x44"),
        ("0x4e6f 0x1044\n", b"\x4e\x6f\x10\x44"),
        ("4e 6f10 44", b"\x4e\x6f\x10\x44"),
    ],
)
def test_digits(text: str, data: bytes) -> None:
    assert parse_digits(text) == data


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("4e6f104", "expected an even number of hexadecimal digits, two for each byte, found 7: '4e6f104'"),
        ("4e6f 1 0 44", "expected an even number of hexadecimal digits, two for each byte, found 1: '1'"),
        ("4e6f 10g4", "expected hexadecimal digits, or a file that exists, found 'g' in '10g4'"),
        ("", "expected hexadecimal digits, found none"),
        (" : ", "expected hexadecimal digits, found none"),
    ],
)
def test_what_is_no_digits(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        parse_digits(text)
    assert str(error.value) == complaint


def test_widths() -> None:
    assert parse_widths("32/64") == (4, 8)
    for text in ("32", "32/33", "32/64/8", "/", "08/8"):
        with pytest.raises(InputError, match="--widths: expected bits of addresses and of data"):
            parse_widths(text)


class TestCommand:
    def test_digits_in_several_arguments(self, run_program: CommandLine) -> None:
        completed = run_program("etherbone", "decode", *READ_AND_STATUS.split())
        assert completed.status == 0
        assert completed.out.splitlines() == lines(READ_AND_STATUS)

    def test_answer(self, run_program: CommandLine) -> None:
        assert run_program("etherbone", "decode", "--answer", READ_AND_STATUS_ANSWER).out.startswith("answer of 28")

    def test_stream(self, run_program: CommandLine) -> None:
        completed = run_program("etherbone", "decode", "--stream", "--widths", "16/16", "08030100 1234 5678")
        assert completed.status == 0
        assert completed.out.endswith("    write 1234 = 5678\n")

    def test_message_that_ends_too_early(self, run_program: CommandLine) -> None:
        completed = run_program("etherbone", "decode", "4e6f1044a80f0001")
        assert completed.status == 1
        assert "incomplete record: 4 bytes of 12" in completed.out

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["4e6f104"], "expected an even number of hexadecimal digits"),
            (["4e6f1044", "xyz"], "expected hexadecimal digits, or a file that exists, found 'x' in 'xyz'"),
            (["no such file"], "expected hexadecimal digits, or a file that exists, found 'n' in 'no'"),
            (["deadbeef"], "expected an Etherbone message, which begins with 4e6f and has 4 bytes or more, found dead"),
            (["4e6f"], "found 2 bytes"),
            (["missing.pcap"], "missing.pcap: cannot be read: No such file or directory"),
            (["."], ".: cannot be read: expected a file, found a directory"),
            (["--widths", "31/32", "--stream", "00"], "--widths: expected bits of addresses and of data"),
            ([], "Missing argument 'HEX...|FILE.pcap|-'"),
        ],
    )
    def test_bad_input(self, run_program: CommandLine, arguments: list[str], complaint: str) -> None:
        completed = run_program("etherbone", "decode", *arguments)
        assert completed.status == 2
        assert complaint in completed.err
        assert completed.out == ""

    def test_unknown_command(self, run_program: CommandLine) -> None:
        completed = run_program("etherbone", "decoed")
        assert completed.status == 2
        assert "no command is called 'decoed'; did you mean 'decode'?" in completed.err

    def test_group_lists_its_commands(self, run_program: CommandLine) -> None:
        assert "  decode " in run_program("etherbone", "--help").out


def decode_standard_input(
    data: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    with pytest.raises(SystemExit) as exit_info:
        command_line.main(["etherbone", "decode", "-"])
    captured = capsys.readouterr()
    assert isinstance(exit_info.value.code, int)
    return exit_info.value.code, captured.out, captured.err


def test_standard_input_has_a_message_per_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = f"{READ_AND_STATUS}\n\n4e6f11ff00000086\n".encode()
    status, out, _ = decode_standard_input(data, monkeypatch, capsys)
    assert status == 0
    assert out.splitlines() == [*lines(READ_AND_STATUS), *lines("4e6f11ff00000086")]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "standard input: expected hexadecimal digits or a capture, found nothing"),
        (b"\n", "standard input: expected hexadecimal digits or a capture, found nothing"),
        (b"\xff\xfe", "standard input: line 1: expected hexadecimal digits"),
        (b"\n \n4e6", "standard input: line 3: expected an even number of hexadecimal digits"),
        (
            b"\x0a\x0d\x0d\x0a" + bytes(24),
            "standard input: expected a capture in the classic pcap format, found pcapng",
        ),
    ],
)
def test_bad_standard_input(
    data: bytes, complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = decode_standard_input(data, monkeypatch, capsys)
    assert (status, out) == (2, "")
    assert complaint in err


def test_file_that_is_no_capture(run_program: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "message.txt").write_text(READ_AND_STATUS)
    completed = run_program("etherbone", "decode", tmp_path / "message.txt")
    assert completed.status == 2
    assert "expected a capture in the classic pcap format, found a file that begins with 34653666" in completed.err
