"""Expressions in arguments: numbers, parameters, addresses, coordinates, and arithmetic on them.

    sum:      term {("+" | "-" | "|" | "<<" | ">>") term}, from left to right
    term:     factor {("*" | "/" | "%") factor}, from left to right; "/" rounds down
    factor:   NUMBER | $NAME | "(" sum ")" | "-" factor | a function, below
    NUMBER:   12, 0x1F, 4KiB

`address NAME` of a tensor or region, `pages NAME` and `page_bytes NAME` of a tensor or buffer, `bytes NAME` of a tensor
or region, `semaphore NAME` and `buffer NAME` for ids, `x X Y` and `y X Y` for the NoC coordinates of a logical core,
`bank_x K` and `bank_y K` for those of DRAM bank K, `bank_offset K` for the address at which the bank begins,
`next_to_bank_x K` and `next_to_bank_y K` for the logical core next to it, `float V` for the bits of a 32-bit float.
`layout NAME` must be the whole argument, and means all words that `TensorAccessorArgs` reads.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError, did_you_mean
from nocbench.support.units import parse_size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nocbench.programs.program import Word

_TOKEN = re.compile(
    r"\s*(0[xX][0-9a-fA-F]+|\d+\.\d*(?:[eE][-+]?\d+)?|\d+\s*[KMG]iB\b|\d+\s*B\b|\d+|\$\w+|[A-Za-z_]\w*|<<|>>|[-+*/%()|])"
)
_WORD_MIN = -(2**31)
_WORD_END = 2**32
_SUMS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "|": lambda a, b: a | b,
    "<<": lambda a, b: a << min(b, 64) if b >= 0 else a,
    ">>": lambda a, b: a >> min(b, 64) if b >= 0 else a,
}
_OF_A_NAME = ("address", "pages", "page_bytes", "bytes", "semaphore", "buffer")
_LAYOUT = "layout"
_OF_A_BANK = ("bank_x", "bank_y", "bank_offset", "next_to_bank_x", "next_to_bank_y")
_FUNCTIONS = (*_OF_A_NAME, "x", "y", *_OF_A_BANK, "float", _LAYOUT)


@dataclass(frozen=True, slots=True)
class Names:
    """Names that expressions may use.

    Attributes:
        parameters: values of parameters by name, without "$".
        of_names: values of functions of a name, by function, such as "address", then by name.
        coordinates: NoC coordinates of logical cores.
        layouts: words of the layouts of tensors.
        of_banks: values of functions of a DRAM bank, by function, NoC and bank.
        noc: the NoC of the kernel that gets an argument.
    """

    parameters: Mapping[str, int]
    of_names: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    coordinates: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    layouts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    of_banks: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)
    noc: int = 0

    def with_parameters(self, more: Mapping[str, int]) -> Names:
        """Returns these names and more parameters."""
        return replace(self, parameters={**self.parameters, **more})

    def on_noc(self, noc: int) -> Names:
        """Returns these names for a kernel on a NoC."""
        return replace(self, noc=noc)


def number(text: str, names: Names) -> int:
    """Returns the value of an expression: "$pages * 2".

    Raises:
        InputError: a mistake; the message reads "expected ..., found ...".
    """
    return _Reader(text, names).whole()


def one_word(word: Word, names: Names) -> int:
    """Returns the value of an argument as a 32-bit word. Raises InputError as :func:`words`, and for several words."""
    values = words(word, names)
    if len(values) != 1:
        raise InputError(f"{word.where}: expected one word, found a layout of {len(values)}")
    return values[0]


def words(word: Word, names: Names) -> tuple[int, ...]:
    """Returns the value of an argument as 32-bit words: a single word, or those of a layout.

    Raises:
        InputError: a mistake; the message begins with its place.
    """
    try:
        parts = word.text.split()
        if parts and parts[0] == _LAYOUT:
            return _layout(parts[1:], names)
        value = _word(number(word.text, names))
    except InputError as error:
        found = "" if "found '" in str(error) and f"'{word.text}'" in str(error) else f" in '{word.text}'"
        raise InputError(f"{word.where}: {error}{found}") from None
    return (value,)


def _word(value: int) -> int:
    if not _WORD_MIN <= value < _WORD_END:
        raise InputError(f"expected a 32-bit number, found {value:,}")
    return value & (_WORD_END - 1)


def _layout(parts: list[str], names: Names) -> tuple[int, ...]:
    if len(parts) != 1:
        raise InputError(f"expected 'layout' and the name of a tensor alone, found {len(parts)} more words")
    if parts[0] not in names.layouts:
        raise InputError(_unknown("tensor", parts[0], names.layouts))
    return names.layouts[parts[0]]


def _unknown(what: str, name: str, known: Mapping[str, object]) -> str:
    there_are = f"; there are: {', '.join(known)}" if known else "; there is none"
    return f"expected the name of a {what}, found '{name}'{did_you_mean(name, known) or there_are}"


class _Reader:
    def __init__(self, text: str, names: Names) -> None:
        self._text = text
        self._names = names
        self._tokens = self._split(text)
        self._next = 0

    @staticmethod
    def _split(text: str) -> list[str]:
        tokens = []
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                raise InputError(f"expected a number, a $parameter or a sum of such, found '{text}'")
            tokens.append(match[1])
            position = match.end()
        return tokens

    def whole(self) -> int:
        value = self._sum()
        if self._next < len(self._tokens):
            raise InputError(f"expected the end or one of + - * / %, found '{self._tokens[self._next]}'")
        return value

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._next += 1
        return token

    def _sum(self) -> int:
        value = self._term()
        while self._peek() in _SUMS:
            operation = _SUMS[self._take()]
            value = operation(value, self._term())
        return value

    def _term(self) -> int:
        value = self._factor()
        while self._peek() in ("*", "/", "%"):
            operator = self._take()
            right = self._factor()
            if operator == "*":
                value *= right
            elif right == 0:
                raise InputError("expected a divisor other than 0, found 0")
            else:
                value = value // right if operator == "/" else value % right
        return value

    def _factor(self) -> int:
        symbol = self._take()
        if symbol == "-":
            return -self._factor()
        if symbol == "(":
            value = self._sum()
            if (closing := self._take()) != ")":
                raise InputError(f"expected ')', found {closing!r}" if closing else "expected ')', found the end")
            return value
        if symbol[:1].isdigit():
            return self._number(symbol)
        if symbol.startswith("$"):
            return self._parameter(symbol[1:])
        if symbol in _FUNCTIONS:
            return self._function(symbol)
        if not symbol or not (symbol[0].isalpha() or symbol[0] == "_"):
            raise InputError(f"expected a number, found {repr(symbol) if symbol else 'the end'}")
        if symbol in self._names.parameters:
            raise InputError(f"expected a number, found '{symbol}'; did you mean '${symbol}'?")
        raise InputError(
            f"expected a number, a $parameter, or {', '.join(_FUNCTIONS)} of something, found '{symbol}'"
            f"{did_you_mean(symbol, _FUNCTIONS)}"
        )

    @staticmethod
    def _number(token: str) -> int:
        if token[-1] == "B" and not token.lower().startswith("0x"):
            return parse_size(token)
        try:
            return int(token, 0)
        except ValueError:
            raise InputError(f"expected a whole number, found '{token}'") from None

    def _parameter(self, name: str) -> int:
        parameters = self._names.parameters
        if name not in parameters:
            dollars = [f"${known}" for known in parameters]
            there_are = f"; there are: {', '.join(dollars)}"
            hint = did_you_mean(f"${name}", dollars) or there_are
            raise InputError(f"expected a parameter, found '${name}'{hint}")
        return parameters[name]

    def _of_bank(self, function: str) -> int:
        if function not in self._names.of_banks:
            raise InputError(f"expected a number, found '{function}'")
        values = self._names.of_banks[function][self._names.noc]
        bank = self._factor()
        if not 0 <= bank < len(values):
            raise InputError(f"expected a DRAM bank from 0 to {len(values) - 1}, found {bank}")
        return values[bank]

    def _function(self, function: str) -> int:
        if function in ("x", "y"):
            core = (self._factor(), self._factor())
            if core not in self._names.coordinates:
                last = max(self._names.coordinates, default=(0, 0))
                raise InputError(f"expected a core from (0, 0) to {last}, found {core}")
            return self._names.coordinates[core][function == "y"]
        if function in _OF_A_BANK:
            return self._of_bank(function)
        if function == "float":
            sign = "-" if self._peek() == "-" and self._take() else ""
            token = self._take()
            try:
                bits: int = struct.unpack("<I", struct.pack("<f", float(sign + token)))[0]
            except (ValueError, OverflowError):
                raise InputError(f"expected a 32-bit float, found '{sign}{token}'") from None
            return bits
        if function == _LAYOUT:
            raise InputError("expected 'layout NAME' alone, as an argument of its own")
        known = self._names.of_names.get(function, {})
        name = self._take()
        if name not in known:
            kinds = {"pages": "tensor or buffer", "page_bytes": "tensor or buffer"}
            raise InputError(
                _unknown(
                    kinds.get(function, function if function in ("semaphore", "buffer") else "tensor or region"),
                    name,
                    known,
                )
            )
        return known[name]
