"""Trials of kernels that compute value by value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy
from compute_trial import ComputeTrial, Pages, tiles, trial_of

from nocbench import ComputeOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPUTE = "device/kernels/compute"
BINARY = "operations/eltwise/binary_ng/device"
TERNARY = f"operations/eltwise/ternary/{COMPUTE}"
BACKWARD = f"operations/eltwise/unary_backward/{COMPUTE}"
SEED = f"operations/reduction/manual_seed/{COMPUTE}"

WIDE = ComputeOptions(has_wide_dst=True)
EXACT = ComputeOptions(has_wide_dst=True, exact_buffers=(1 << 32) - 1)
"""Options of host programs for values of 32 bits."""


def word_of(value: float) -> int:
    """Returns the bits of a number."""
    return int(numpy.float32(value).view(numpy.uint32))


def integers(count: int, seed: int, limit: int) -> numpy.ndarray:
    """Returns tiles of integers from -limit to limit, stacked."""
    return numpy.random.default_rng(seed).integers(-limit, limit, (32 * count, 32), endpoint=True)


def by_tile(values: numpy.ndarray) -> numpy.ndarray:
    """Returns stacked tiles as an array of tiles."""
    return values.reshape(-1, 32, 32)


def column_of(values: numpy.ndarray) -> numpy.ndarray:
    """Returns tiles that repeat their first column."""
    return values[:, :1] + numpy.zeros_like(values)


def row_of(values: numpy.ndarray) -> numpy.ndarray:
    """Returns tiles that repeat their first row."""
    its = by_tile(values)
    return (its[:, :1, :] + numpy.zeros_like(its)).reshape(-1, 32)


def of_rows(values: numpy.ndarray, counts: tuple[int, ...]) -> numpy.ndarray:
    """Returns each tile as often as its row of output tiles is long."""
    return numpy.repeat(by_tile(values), counts, axis=0).reshape(-1, 32)


@trial_of(f"{TERNARY}/ternary_addc_ops_sfpu.cpp")
def addcmul() -> ComputeTrial:
    """A + value * B * C, tile by tile."""
    a, b, c = (tiles(4, seed) for seed in (1, 2, 3))
    return ComputeTrial(
        inputs={0: Pages(a), 1: Pages(b), 2: Pages(c)},
        outputs={3: Pages(a + 0.5 * b * c, capacity=2)},
        constants=(1, word_of(0.5)),
        runtime=(4, 0, 0, word_of(0.5)),
        defines={
            "TERNARY_SFPU_OP_INIT": "addcmul_tile_init",
            "TERNARY_SFPU_OP_FUNC": "addcmul_tile<DataFormat::Float16_b>",
        },
    )


@trial_of(f"{TERNARY}/ternary_addcmul_int_sfpu.cpp")
def addcmul_of_integers() -> ComputeTrial:
    """A + value * B * C of 32-bit integers."""
    a, b, c = (integers(3, seed, limit) for seed, limit in ((1, 1000), (2, 20), (3, 20)))
    return ComputeTrial(
        inputs={i: Pages(values, "Int32") for i, values in enumerate((a, b, c))},
        outputs={3: Pages(a - 7 * b * c, "Int32", capacity=2)},
        constants=(1, 0),
        runtime=(3, 0, 0, -7 & 0xFFFFFFFF),
        defines={"ADDCMUL_DATA_FORMAT": "DataFormat::Int32"},
        options=WIDE,
    )


@trial_of(f"{TERNARY}/ternary_sfpu_row_bcast_ttt.cpp")
def lerp_with_repeated_rows() -> ComputeTrial:
    """A + weight * (end - A), where end and weight have one row, which the kernel repeats."""
    a, end, weight = (tiles(4, seed) for seed in (1, 2, 3))
    return ComputeTrial(
        inputs={0: Pages(a), 1: Pages(end), 2: Pages(weight)},
        outputs={3: Pages(a + row_of(weight) * (row_of(end) - a), capacity=2)},
        room={4: Pages(capacity=2), 5: Pages(capacity=2), 6: Pages(capacity=2)},
        constants=(1, 0),
        runtime=(4, 0, 0, 0),
        defines={
            "BCAST_A": 0,
            "BCAST_B": 1,
            "BCAST_C": 1,
            "TERNARY_SFPU_OP_INIT": "lerp_tile_init",
            "TERNARY_SFPU_OP_FUNC": "lerp_tile<DataFormat::Float16_b>",
        },
    )


@trial_of(f"{TERNARY}/ternary_sfpu_col_scalar_bcast_tts_tst.cpp")
def where_with_a_repeated_column() -> ComputeTrial:
    """A scalar where the condition holds, else B; the reader repeats the column of a condition, for a row of tiles."""
    rows = (2, 3, 2)  # from the second tile of a row of three on
    condition, b = column_of(numpy.maximum(tiles(len(rows), 1), 0)), tiles(sum(rows), 2)
    return ComputeTrial(
        inputs={0: Pages(condition), 1: Pages(b)},
        outputs={3: Pages(numpy.where(of_rows(condition, rows) != 0, 0.75, b), capacity=2)},
        constants=(1, 1),
        runtime=(sum(rows), 3, 1, word_of(0.75)),
        defines={
            "BCAST_A": 1,
            "BCAST_B": 0,
            "BCAST_C": 0,
            "FILL_LLK": "fill_tile",
            "FILL_WITH_VALUE_FLOAT": 1,
            "TERNARY_SFPU_OP_INIT": "where_tile_init",
            "TERNARY_SFPU_OP_FUNC": "where_tile<DataFormat::Float16_b>",
        },
    )


@trial_of(f"{BINARY}/kernels/compute/eltwise_where_no_bcast.cpp")
def where_of_integers() -> ComputeTrial:
    """B where A is not 0, else a scalar, of 32-bit integers."""
    condition, b = integers(3, 1, 1), integers(3, 2, 1 << 20)
    return ComputeTrial(
        inputs={0: Pages(condition, "Int32"), 1: Pages(b, "Int32")},
        outputs={2: Pages(numpy.where(condition != 0, b, -123456), "Int32", capacity=2)},
        constants=(1, 1),
        runtime=(3, 0, 0, -123456 & 0xFFFFFFFF),
        defines={"WHERE_DATA_FORMAT": "Int32", "WHERE_TTS": 1, "WHERE_TST": 0},
        options=EXACT,
    )


@trial_of(f"{BINARY}/kernels/compute/eltwise_binary_sfpu_no_bcast.cpp")
def hypotenuse() -> ComputeTrial:
    """The root of A * A + B * B: functions before and after the sum, two tiles at a time and one at last."""
    a, b = tiles(5, 1, -4, 4), tiles(5, 2, -4, 4)
    return ComputeTrial(
        inputs={0: Pages(a, "Float32"), 1: Pages(b, "Float32")},
        outputs={2: Pages(numpy.hypot(a, b), "Float32", capacity=4)},
        room={3: Pages(data_format="Float32", capacity=2), 4: Pages(data_format="Float32", capacity=2)},
        constants=(2,),
        runtime=(5, 0, 0, 0),
        defines={
            "BINARY_SFPU_INIT": "add_binary_tile_init();",
            "BINARY_SFPU_OP": "add_binary_tile",
            "BCAST_INPUT": "",
            "PROCESS_LHS_ACTIVATIONS(i)": "square_tile_init();square_tile(i);",
            "PROCESS_RHS_ACTIVATIONS(i)": "square_tile_init();square_tile(i);",
            "PROCESS_POST_ACTIVATIONS(i)": "sqrt_tile_init();sqrt_tile(i);",
            "WHERE_TTS": 0,
            "WHERE_TST": 0,
        },
        options=EXACT,
    )


@trial_of(f"{BINARY}/kernels_ng/compute/eltwise_binary_sfpu_col_bcast.cpp")
def ldexp_with_a_repeated_column() -> ComputeTrial:
    """A * 2**B, where B has one column, which the kernel repeats for a row of tiles."""
    rows = (2, 3, 2)  # from the second tile of a row of three on
    a, b = tiles(sum(rows), 1), tiles(len(rows), 2, -2, 2)
    return ComputeTrial(
        inputs={0: Pages(a, "Float32"), 1: Pages(b, "Float32")},
        outputs={2: Pages(a * numpy.exp2(of_rows(column_of(b), rows)), "Float32", capacity=2)},
        room={4: Pages(data_format="Float32", capacity=1), 6: Pages(data_format="Float32", capacity=2)},
        constants=(1,),
        runtime=(sum(rows), 3, 1, 0),
        defines={
            "BINARY_SFPU_INIT": "mul_binary_tile_init();",
            "BINARY_SFPU_OP": "mul_binary_tile",
            "BCAST_INPUT": 1,
            "SRC_BCAST": 0,
            "SRC_BCAST_B": 1,
            "PROCESS_LHS_ACTIVATIONS(i)": "",
            "PROCESS_RHS_ACTIVATIONS(i)": "exp2_tile_init();exp2_tile(i);",
            "PROCESS_POST_ACTIVATIONS(i)": "",
            "WHERE_TTS": 0,
            "WHERE_TST": 0,
        },
        options=EXACT,
    )


@trial_of("operations/experimental/bcast_to/device/kernels/compute/compute_interleaved_col_bcast_to.cpp")
def repeated_columns() -> ComputeTrial:
    """One tile for each row of output tiles, from the second tile of the second batch on."""
    a = tiles(4)
    return ComputeTrial(
        inputs={0: Pages(a)},
        outputs={1: Pages(column_of(a), capacity=2)},
        constants=(0, 1),
        runtime=(1, 0, 1, 0, 1, 9, 4, 2, 2, 2, 2, 3),  # 9 tiles of 2 x 2 matrices of 2 x 3 tiles
    )


@trial_of(f"operations/copy/typecast/{COMPUTE}/eltwise_typecast.cpp")
def float_to_integer() -> ComputeTrial:
    """The whole part of numbers."""
    a = tiles(5, 1, -8, 8)
    return ComputeTrial(
        inputs={0: Pages(a, "Float32", name="in")},
        outputs={2: Pages(numpy.trunc(a), "Int32", capacity=2, name="out")},
        named_constants={
            "per_core_block_cnt": 5,
            "per_core_block_dim": 1,
            "in_data_format": 0,
            "out_data_format": 8,
        },
        options=EXACT,
    )


@trial_of(f"operations/data_movement/sharded/{COMPUTE}/eltwise_copy.cpp")
def change_of_format() -> ComputeTrial:
    """The values of tiles, in another format."""
    a = tiles(4)
    return ComputeTrial(
        inputs={0: Pages(a)},
        outputs={16: Pages(a, "Bfp8_b")},
        runtime=(4,),
    )


@trial_of(f"operations/eltwise/unary/{COMPUTE}/logit_kernel.cpp")
def logit() -> ComputeTrial:
    """log(x / (1 - x)) of numbers that are cut off at 0.1 and 0.9."""
    a = tiles(4, 1, -0.2, 1.2)
    cut = numpy.clip(a, 0.1, 0.9)
    return ComputeTrial(
        inputs={0: Pages(a, name="in")},
        outputs={2: Pages(numpy.log(cut / (1 - cut)), capacity=2, name="out")},
        room={1: Pages(capacity=2, name="tmp0")},
        named_constants={"do_clamp": 1},
        runtime=(4, word_of(0.1), word_of(0.9)),
        runtime_names=("num_tiles", "packed_scalar1", "packed_scalar2"),
    )


def backward(
    slope: numpy.ndarray,
    x: numpy.ndarray,
    *,
    data_format: str = "Float16_b",
    defines: Mapping[str, object] | None = None,
    options: ComputeOptions | None = None,
) -> ComputeTrial:
    """Returns the trial of a kernel that multiplies gradients with the slope of a function at `x`."""
    gradient = tiles(len(x) // 32, 2)
    return ComputeTrial(
        inputs={0: Pages(gradient, data_format), 1: Pages(x, data_format)},
        outputs={2: Pages(gradient * slope, data_format, capacity=2)},
        runtime=(len(x) // 32,),
        defines=defines or {},
        options=options or ComputeOptions(),
    )


def slope_of_gelu(x: numpy.ndarray) -> numpy.ndarray:
    """Returns the derivative of x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))."""
    x = x.astype(float)
    root = numpy.sqrt(2 / numpy.pi)
    tanh = numpy.tanh(root * (x + 0.044715 * x**3))
    return (1 + tanh) / 2 + x / 2 * (1 - tanh**2) * root * (1 + 3 * 0.044715 * x**2)


@trial_of(f"{BACKWARD}/eltwise_bw_tanh.cpp")
def gradient_of_tanh() -> ComputeTrial:
    """Gradients times 1 - tanh(x)**2."""
    x = tiles(4, 1, -3, 3)
    return backward(1 - numpy.tanh(x) ** 2, x)


@trial_of(f"{BACKWARD}/eltwise_bw_gelu_tanh.cpp")
def gradient_of_gelu() -> ComputeTrial:
    """Gradients times the derivative of GELU, of 16 bits."""
    x = tiles(4, 1, -4, 4)
    formats = {
        "COPY_DEST_DATA_FORMAT": "DataFormat::Float16_b",
        "BF16_ROUNDING_MODE": "ckernel::DstRoundingMode::NearestEven",
    }
    return backward(slope_of_gelu(x), x, defines=formats)


@trial_of(f"{BACKWARD}/eltwise_bw_gelu_tanh_fp32.cpp")
def gradient_of_wide_gelu() -> ComputeTrial:
    """Gradients times the derivative of GELU, of 32 bits."""
    x = tiles(4, 1, -4, 4)
    formats = {"COPY_DEST_DATA_FORMAT": "DataFormat::Float32"}
    return backward(slope_of_gelu(x), x, data_format="Float32", defines=formats, options=EXACT)


def draws(called: tuple[bool, ...]) -> ComputeTrial:
    """Returns the trial of a kernel that sets a seed in those of its calls, or else leaves it.

    After each call numbers are drawn. Which ones is not defined: compared are how they spread between 0 and 1, and
    their differences from those after the first call.
    """
    count = 16
    random = numpy.random.default_rng(1)
    spread = numpy.linspace(0, 1, 32 * 32 * count)
    first = random.permutation(spread)
    drawn = [first if sets else random.permutation(spread) for sets in called]

    def compared(values: numpy.ndarray) -> numpy.ndarray:
        its = values.reshape(len(called), -1)
        return numpy.stack([numpy.sort(its[0]), *(numpy.sort(others - its[0]) for others in its[1:])])

    return ComputeTrial(
        inputs={},
        outputs={16: Pages(numpy.concatenate(drawn).reshape(-1, 32), capacity=2)},
        named_constants={"seed": 1234},
        runtime=(len(called), count),
        around="draw.cpp",
        compared=compared,
    )


@trial_of(f"{SEED}/manual_seed_set_seed.cpp")
def seed_of_all_cores() -> ComputeTrial:
    """The same numbers after each call."""
    return draws((True, True))


@trial_of(f"{SEED}/manual_seed_single_seed_receive_user_id.cpp")
def seed_of_chosen_cores() -> ComputeTrial:
    """The same numbers after a message to the core, others after a message to another one."""
    called = (True, True, False)
    messages = numpy.repeat(called, 32)[:, None] + numpy.zeros((1, 32))
    trial = draws(called)
    return replace(trial, inputs={1: Pages(messages, "UInt32", capacity=1, name="kernel_communication")})
