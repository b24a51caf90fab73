"""Accuracy of the C library's functions, in units in the last place, compared with Python's."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

import pytest

from nocbench import run_shmem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROGRAM = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {{
    srand48({seed});
    for (int i = 0; i < {count}; ++i) {{
        {type} x = ({low}) + ({type})drand48() * (({high}) - ({low}));
        {type} y = x * ({type})0.7 - ({type})0.3;
        (void)y;
        printf("%a %a %a\\n", (double)x, (double)y, (double)({call}));
    }}
    return 0;
}}
"""
COUNT = 300

# Call, its Python equivalent, smallest and largest argument, and tolerance in units in the last place.
Case = tuple[str, "Callable[[float, float], float]", float, float, float]
DOUBLES: list[Case] = [
    ("sqrt(x)", lambda x, _: math.sqrt(x), 0, 1e6, 0.5),
    ("exp(x)", lambda x, _: math.exp(x), -700, 700, 1),
    ("exp2(x)", lambda x, _: math.exp2(x), -50, 50, 2),
    ("expm1(x)", lambda x, _: math.expm1(x), -2, 2, 5),
    ("log(x)", lambda x, _: math.log(x), 1e-9, 1e3, 1),
    ("log1p(x)", lambda x, _: math.log1p(x), -0.5, 2, 4),
    ("log2(x)", lambda x, _: math.log2(x), 1.5, 1e6, 3),
    ("log10(x)", lambda x, _: math.log10(x), 1.5, 1e6, 3),
    ("pow(x, y)", lambda x, y: math.pow(x, y), 0.1, 40, 1),
    ("sin(x)", lambda x, _: math.sin(x), -1000, 1000, 1),
    ("cos(x)", lambda x, _: math.cos(x), -1000, 1000, 1),
    ("tan(x)", lambda x, _: math.tan(x), -10, 10, 3),
    ("asin(x)", lambda x, _: math.asin(x), -1, 1, 3),
    ("acos(x)", lambda x, _: math.acos(x), -1, 1, 3),
    ("atan(x)", lambda x, _: math.atan(x), -20, 20, 1),
    ("atan2(y, x)", lambda x, y: math.atan2(y, x), -20, 20, 2),
    ("sinh(x)", lambda x, _: math.sinh(x), -5, 5, 6),
    ("cosh(x)", lambda x, _: math.cosh(x), -5, 5, 3),
    ("tanh(x)", lambda x, _: math.tanh(x), -5, 5, 6),
    ("asinh(x)", lambda x, _: math.asinh(x), -5, 5, 6),
    ("acosh(x)", lambda x, _: math.acosh(x), 1.1, 50, 6),
    ("atanh(x)", lambda x, _: math.atanh(x), -0.9, 0.9, 6),
    ("cbrt(x)", lambda x, _: math.cbrt(x), -1e5, 1e5, 2),
    ("hypot(x, y)", lambda x, y: math.hypot(x, y), -50, 50, 1.5),
    ("fmod(x, y)", lambda x, y: math.fmod(x, y), 1, 1e5, 0),
    ("floor(x) + ceil(x) + trunc(x)", lambda x, _: math.floor(x) + math.ceil(x) + math.trunc(x), -1e4, 1e4, 0),
]
FLOATS: list[Case] = [
    ("sqrtf(x)", lambda x, _: math.sqrt(x), 0, 1e6, 0.5),
    ("expf(x)", lambda x, _: math.exp(x), -80, 80, 1.5),
    ("logf(x)", lambda x, _: math.log(x), 1e-5, 1e3, 1.5),
    ("sinf(x)", lambda x, _: math.sin(x), -3, 3, 2),
    ("cosf(x)", lambda x, _: math.cos(x), -1.5, 1.5, 2),
    ("sinf(x)", lambda x, _: math.sin(x), 2000, 1e9, 2),
    ("cosf(x)", lambda x, _: math.cos(x), -1e7, -1025, 2),
    ("powf(x, y)", lambda x, y: math.pow(x, y), 0.1, 20, 0.6),
    ("atan2f(y, x)", lambda x, y: math.atan2(y, x), -20, 20, 0.6),
    ("fmodf(x, y)", lambda x, y: math.fmod(x, y), 1, 1e4, 0),
]


def float_ulp(value: float) -> float:
    bits = struct.unpack("<I", struct.pack("<f", abs(value)))[0]
    above = struct.unpack("<f", struct.pack("<I", bits + 1))[0]
    below = struct.unpack("<f", struct.pack("<I", bits))[0]
    return float(above) - float(below)


def worst(case: Case, kind: str, ulp: Callable[[float], float], place: Path) -> tuple[float, str]:
    call, reference, low, high, _ = case
    source = place / "function.c"
    source.write_text(PROGRAM.format(seed=7, count=COUNT, type=kind, low=low, high=high, call=call))
    result = run_shmem(source, num_pes=1)
    assert result.error == ""
    lines = result.stdout.splitlines()
    assert len(lines) == COUNT
    largest, where = 0.0, ""
    for line in lines:
        x, y, value = map(float.fromhex, line.split())
        want = reference(x, y)
        error = abs(value - want) / ulp(want)
        if error > largest:
            largest, where = error, f"{call} of {x!r}, {y!r}: {value!r}, not {want!r}"
    return largest, where


@pytest.mark.parametrize("case", DOUBLES, ids=lambda case: case[0])
def test_doubles(case: Case, tmp_path: Path) -> None:
    error, where = worst(case, "double", math.ulp, tmp_path)
    # Python's values are rounded, too.
    assert error <= (0 if case[4] in (0, 0.5) else case[4]), where


@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case[0])
def test_floats(case: Case, tmp_path: Path) -> None:
    error, where = worst(case, "float", float_ulp, tmp_path)
    assert error <= case[4] + 1e-6, where
