"""Expressions in arguments: numbers, parameters, names, arithmetic."""

from __future__ import annotations

import pytest

from nocbench.programs.expressions import Names, number, words
from nocbench.programs.program import Word
from nocbench.support.errors import InputError

NAMES = Names(
    parameters={"pages": 6, "size": 1024},
    of_names={
        "address": {"source": 0x10000},
        "pages": {"source": 6},
        "page_bytes": {"source": 64},
        "bytes": {"source": 384},
        "semaphore": {"ready": 3},
        "buffer": {"input": 16},
    },
    coordinates={(0, 0): (18, 19), (1, 2): (20, 22)},
    layouts={"source": (3, 1, 2)},
    of_banks={"bank_x": ((5, 6), (0, 1)), "bank_y": ((0, 11), (2, 3)), "bank_offset": ((0, 64), (0, 64))},
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("0x1F", 31),
        ("4KiB", 4096),
        ("64 B", 64),
        ("$pages * 2 + 1", 13),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("7 / 2", 3),
        ("7 % 4", 3),
        ("10 - 2 - 3", 5),
        ("1 << 4 | 1", 17),
        ("256 >> 4", 16),
        ("address source + $size", 0x10400),
        ("pages source * page_bytes source", 384),
        ("bytes source", 384),
        ("semaphore ready", 3),
        ("buffer input", 16),
        ("x 1 2", 20),
        ("bank_x 1", 6),
        ("bank_x 1 << 16 | bank_y ($pages - 5)", 6 << 16 | 11),
        ("bank_offset 1 + 4", 68),
        ("y 1 ($pages / 3)", 22),
        ("float 1.0", 0x3F800000),
        ("float -2.5", 0xC0200000),
        ("-1 + 2", 1),
    ],
)
def test_value(text: str, value: int) -> None:
    assert number(text, NAMES) == value


def test_a_layout_is_several_words() -> None:
    assert words(Word("layout source", "here"), NAMES) == (3, 1, 2)


def test_negative_numbers_are_words() -> None:
    assert words(Word("-1", "here"), NAMES) == (0xFFFFFFFF,)


def test_banks_are_those_of_the_noc_of_a_kernel() -> None:
    assert number("bank_x 0", NAMES) == 5
    assert number("bank_x 0", NAMES.on_noc(1)) == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a number, found the end"),
        ("1 +", "expected a number, found the end"),
        ("1 2", "expected the end or one of + - * / %, found '2'"),
        ("$page", "expected a parameter, found '$page'; did you mean '$pages'?"),
        ("pages", "expected the name of a tensor or buffer"),
        ("size", "expected a number, found 'size'; did you mean '$size'?"),
        ("adress source", "did you mean 'address'?"),
        ("address sourze", "expected the name of a tensor or region, found 'sourze'; did you mean 'source'?"),
        ("semaphore redy", "expected the name of a semaphore, found 'redy'; did you mean 'ready'?"),
        ("x 5 5", "expected a core from (0, 0) to (1, 2), found (5, 5)"),
        ("bank_x 2", "expected a DRAM bank from 0 to 1, found 2"),
        ("next_to_bank_x 0", "expected a number, found 'next_to_bank_x'"),
        ("(1", "expected ')', found the end"),
        ("1 / 0", "expected a divisor other than 0, found 0"),
        ("1.5", "expected a whole number, found '1.5'"),
        ("float one", "expected a 32-bit float, found 'one'"),
        ("1 ? 2", "expected a number, a $parameter or a sum of such, found '1 ? 2'"),
        ("layout source + 1", "expected 'layout' and the name of a tensor alone"),
        ("layout sources", "expected the name of a tensor, found 'sources'; did you mean 'source'?"),
        ("1 << 40", "expected a 32-bit number, found 1,099,511,627,776"),
    ],
)
def test_complaint(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        words(Word(text, "file:3:4: args[0]"), NAMES)
    assert str(caught.value).startswith("file:3:4: args[0]: ")
    assert complaint in str(caught.value)
