"""Compute kernels: the values that each call of the compute API leaves, against numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
import pytest
from compute_programs import operation, random_matrix

from nocbench import ComputeOptions, correlation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Expected = Mapping[str, Callable[[numpy.ndarray, numpy.ndarray], numpy.ndarray]]

PCC = 0.999

# One step: two tiles in, one tile out.
OF_TWO = """
    for (uint32_t tile = 0; tile < {tiles}; ++tile) {{
        cb_wait_front(0, 1);
        cb_wait_front(1, 1);
        tile_regs_acquire();
        {call}
        tile_regs_commit();
        cb_pop_front(0, 1);
        cb_pop_front(1, 1);
        cb_reserve_back(16, 1);
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
        cb_push_back(16, 1);
    }}
"""
COPY = "copy_tile_init(0); copy_tile(0, 0, 0);"
COPIES = f"{COPY} copy_tile(1, 0, 1);"
OF_ONE = OF_TWO.replace("        cb_wait_front(1, 1);\n", "").replace("        cb_pop_front(1, 1);\n", "")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("add_tiles_init(0, 1); add_tiles(0, 1, 0, 0, 0);", lambda a, b: a + b),
        ("sub_tiles_init(0, 1); sub_tiles(0, 1, 0, 0, 0);", lambda a, b: a - b),
        ("mul_tiles_init(0, 1); mul_tiles(0, 1, 0, 0, 0);", lambda a, b: a * b),
        ("add_bcast_rows_init_short(0, 1); add_tiles_bcast_rows(0, 1, 0, 0, 0);", lambda a, b: a + b[:1, :]),
        ("mul_bcast_cols_init_short(0, 1); mul_tiles_bcast_cols(0, 1, 0, 0, 0);", lambda a, b: a * b[:, :1]),
        (
            """
            init_bcast<ELWSUB, BroadcastType::SCALAR>(0, 1, 16);
            sub_tiles_bcast<BroadcastType::SCALAR>(0, 1, 0, 0, 0);
            """,
            lambda a, b: a - b[0, 0],
        ),
        (
            "mul_tiles_bcast_scalar_init_short(0, 1); mul_tiles_bcast_scalar(0, 1, 0, 0, 0);",
            lambda a, b: a * b[0, 0],
        ),
        ("mm_init_short(0, 1); matmul_tiles(0, 1, 0, 0, 0);", lambda a, b: a @ b),
        ("mm_init(0, 1, 16, 1); matmul_tiles(0, 1, 0, 0, 0);", lambda a, b: a @ b.T),
        ("mm_no_mop_init_short(0, 1, true); matmul_block_no_mop(0, 1, 0, 0, 0, true, 1, 1, 1);", lambda a, b: a @ b.T),
        (
            "sub_bcast_cols_init_short_custom(0, 1, 1); sub_tiles_bcast_cols_custom(0, 1, 0, 0, 0, 1);",
            lambda a, b: a - b[:, :1],
        ),
        (
            "sub_bcast_cols_compensated_init(0, 1); sub_bcast_cols_compensated(0, 1, 0, 0, 1);",
            lambda a, b: a - b[:, :1] + b[:, 16:17],
        ),
        (f"{COPIES} add_binary_tile_init(); add_binary_tile(0, 1, 0);", lambda a, b: a + b),
        (f"{COPIES} binary_max_tile_init(); binary_max_tile(0, 1, 0);", numpy.maximum),
        (
            """
            copy_tile_init(0);
            copy_tile(0, 0, 0);
            binary_dest_reuse_tiles_init<ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(1);
            binary_dest_reuse_tiles<ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(1, 0, 0);
            """,
            lambda a, b: a * b,
        ),
        ("add_tiles_init(0, 1, true); add_tiles(0, 1, 0, 0, 0); add_tiles(0, 1, 0, 0, 0);", lambda a, b: 2 * (a + b)),
        (
            "unary_bcast_init<BroadcastType::COL>(1, 16); unary_bcast<BroadcastType::COL>(1, 0, 0);",
            lambda a, b: 0 * a + b[:, :1],
        ),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_of_two_tiles(call: str, expected: object) -> None:
    a, b = random_matrix(32, 32, 1), random_matrix(32, 32, 2)
    wanted = expected(a, b)  # type: ignore[operator] # of numpy arrays
    result, _ = operation(OF_TWO.format(tiles=1, call=call), [a, b], (32, 32))
    assert correlation(result, wanted) >= PCC
    assert numpy.abs(result - wanted).max() <= 0.02 * numpy.abs(wanted).max() + 1e-3


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (COPY, lambda a: a),
        ("transpose_wh_init_short(0); transpose_wh_tile(0, 0, 0);", lambda a: a.T),
        (f"{COPY} transpose_wh_dest_init_short(); transpose_wh_dest(0);", lambda a: a.T),
        (f"{COPY} exp_tile_init(); exp_tile(0);", numpy.exp),
        (f"{COPY} exp_tile_init<true>(); exp_tile<true>(0);", numpy.exp),
        (f"{COPY} tanh_tile_init(); tanh_tile(0);", numpy.tanh),
        (f"{COPY} sigmoid_tile_init(); sigmoid_tile(0);", lambda a: 1 / (1 + numpy.exp(-a))),
        (f"{COPY} relu_tile_init(); relu_tile(0);", lambda a: numpy.maximum(a, 0)),
        (f"{COPY} square_tile_init(); square_tile(0);", lambda a: a * a),
        (f"{COPY} sqrt_tile_init(); abs_tile(0); sqrt_tile(0);", lambda a: numpy.sqrt(numpy.abs(a))),
        (f"{COPY} negative_tile_init(); negative_tile(0);", lambda a: -a),
        (f"{COPY} binop_with_scalar_tile_init(); mul_unary_tile(0, 0x40400000);", lambda a: 3 * a),
        (f"{COPY} clamp_tile_init(); clamp_tile(0, 0xbf000000, 0x3e800000);", lambda a: numpy.clip(a, -0.5, 0.25)),
        (f"{COPY} gtz_tile_init(); gtz_tile(0);", lambda a: (a > 0).astype(float)),
        (
            f"{COPY} copy_tile(0, 0, 1); where_tile_init(); fill_tile(2, 0.5f); gtz_tile(0); where_tile(0, 1, 2, 0);",
            lambda a: numpy.where(a > 0, a, 0.5),
        ),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_of_one_tile(call: str, expected: object) -> None:
    a = random_matrix(32, 32)
    wanted = expected(a)  # type: ignore[operator] # of numpy arrays
    result, _ = operation(OF_ONE.format(tiles=1, call=call), [a], (32, 32))
    assert numpy.abs(result - wanted).max() <= 0.01 * max(1.0, numpy.abs(wanted).max())


def results_of(calls: Iterable[str], inputs: Sequence[numpy.ndarray], **settings: object) -> numpy.ndarray:
    """Returns the first tile of Dst after each of several calls, from one kernel that leaves out initialisations."""
    waits = [f"cb_wait_front({buffer}, {matrix.size // 1024});" for buffer, matrix in enumerate(inputs)]
    steps = [
        f"""
    tile_regs_acquire();
    {call}
    tile_regs_commit();
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
"""
        for call in calls
    ]
    pops = [wait.replace("wait", "pop") for wait in waits]
    body = "\n".join((*waits, *steps, *pops))
    shape = (32 * len(steps), 32)
    result, _ = operation(body, inputs, shape, is_right=False, **settings)  # type: ignore[arg-type] # by name
    return result.reshape(-1, 32, 32)


@pytest.mark.parametrize("dimension", ["ROW", "COL", "SCALAR"])
@pytest.mark.parametrize("pool", ["SUM", "MAX"])
def test_reductions(pool: str, dimension: str) -> None:
    a = -numpy.abs(random_matrix(32, 64, 3))  # a maximum must not begin at 0
    ones = numpy.ones((32, 32), "<f4")
    body = f"""
    cb_wait_front(0, 2);
    cb_wait_front(1, 1);
    reduce_init<PoolType::{pool}, ReduceDim::REDUCE_{dimension}>(0, 1, 16);
    tile_regs_acquire();
    for (uint32_t tile = 0; tile < 2; ++tile) {{
        reduce_tile<PoolType::{pool}, ReduceDim::REDUCE_{dimension}>(0, 1, tile, 0, 0);
    }}
    tile_regs_commit();
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
    cb_pop_front(0, 2);
    cb_pop_front(1, 1);
"""
    options = ComputeOptions(has_wide_dst=True)
    result, _ = operation(body, [a, ones], (32, 32), options=options, result_format="Float32")
    join = numpy.sum if pool == "SUM" else numpy.max
    tiles = numpy.stack([a[:, :32], a[:, 32:]])
    wanted, found = {
        "ROW": (join(a, axis=1), result[:, 0]),
        "COL": (join(join(tiles, axis=1), axis=0), result[0, :]),
        "SCALAR": (join(a), result[0, 0]),
    }[dimension]
    numpy.testing.assert_allclose(found, wanted, rtol=2e-3)


@pytest.mark.parametrize("dimension", ["ROW", "COL"])
@pytest.mark.parametrize("pool", ["SUM", "MAX"])
def test_a_scaler_leaves_out_what_fills_a_tile_up(pool: str, dimension: str) -> None:
    a, scaler = numpy.abs(random_matrix(32, 32, 3)), numpy.zeros((32, 32), "<f4")
    # The first row of each face has the factors of 16 columns, or rows. The last 12 factors are 0.
    along, across = (0, 1) if dimension == "ROW" else (1, 0)
    for face in numpy.ndindex(2, 2):
        scaler[16 * face[0], 16 * face[1] : 16 * face[1] + (4 if face[across] else 16)] = 0.5
    call = f"reduce_tile<PoolType::{pool}, ReduceDim::REDUCE_{dimension}>(0, 1, 0, 0, 0);"
    options = ComputeOptions(has_wide_dst=True)
    (result,) = results_of([call], [a, scaler], options=options, result_format="Float32")
    left = numpy.moveaxis(a, along, 0)[:, :20] / 2
    found = result[:, 0] if dimension == "ROW" else result[0]
    numpy.testing.assert_allclose(found, left.sum(axis=1) if pool == "SUM" else left.max(axis=1), rtol=2e-3)


@pytest.mark.parametrize(
    "call",
    [
        "copy_tile(0, 0, 0); ASSERT(get_local_cb_interface(0).fifo_page_size << cb_addr_shift == get_tile_size(0));",
        "copy_tile(0, 0, 0); ASSERT(CircularBuffer(0).get_page_size() == get_tile_size(0));",
        "copy_tile(0, 0, 0); ASSERT(get_tile_address(0, 0) >> 4 == CircularBuffer(0).get_read_ptr() || !is_unpack);",
    ],
)
def test_what_kernels_may_rely_on(call: str) -> None:
    a = random_matrix(32, 32)
    result, _ = operation(
        f"using nocbench::compute::is_unpack; copy_init(0); {OF_ONE.format(tiles=1, call=call)}", [a], (32, 32)
    )
    numpy.testing.assert_array_equal(result, a)


def test_accumulates_a_block_of_products() -> None:
    a, b = random_matrix(64, 96, 1), random_matrix(96, 64, 2)
    body = """
    mm_block_init(0, 1, 16, 0, 2, 2, 3);
    cb_wait_front(0, 6);
    cb_wait_front(1, 6);
    tile_regs_acquire();
    for (uint32_t k = 0; k < 3; ++k) {
        matmul_block(0, 1, k, 2 * k, 0, 0, 2, 2, 3);
    }
    tile_regs_commit();
    cb_reserve_back(16, 4);
    tile_regs_wait();
    for (uint32_t tile = 0; tile < 4; ++tile) {
        pack_tile(tile, 16);
    }
    tile_regs_release();
    cb_push_back(16, 4);
    cb_pop_front(0, 6);
    cb_pop_front(1, 6);
"""
    result, _ = operation(body, [a, b], (64, 64), options=ComputeOptions(has_wide_dst=True))
    assert correlation(result, a @ b) >= PCC


@pytest.mark.parametrize("data_format", ["Float16_b", "Float32", "Float16", "Bfp8_b", "Bfp4_b"])
def test_formats(data_format: str) -> None:
    a = random_matrix(64, 32)
    options = ComputeOptions(has_wide_dst=data_format == "Float32", exact_buffers=1)
    result, _ = operation(
        OF_ONE.format(tiles=2, call=COPY),
        [a],
        (64, 32),
        formats=[data_format],
        result_format=data_format,
        options=options,
    )
    assert correlation(result, a) >= (0.98 if data_format == "Bfp4_b" else PCC)
    if data_format in ("Float32", "Float16_b"):
        assert (result == a).all()


def test_integers_are_exact() -> None:
    a = numpy.arange(1024).reshape(32, 32) * 2_000_003 - 1_000_000_000
    result, _ = operation(
        OF_ONE.format(tiles=1, call=f"{COPY} copy_tile(0, 0, 1); add_int_tile_init(); add_int_tile(0, 1, 0);"),
        [a],
        (32, 32),
        formats=["Int32"],
        result_format="Int32",
        options=ComputeOptions(has_wide_dst=True, exact_buffers=1),
    )
    assert (result == (2 * a).astype("<i4")).all()


def test_rows_become_tiles_and_tiles_rows() -> None:
    a = random_matrix(32, 192)
    tilizes = """
    tilize_init(0, 6, 16);
    cb_wait_front(0, 6);
    cb_reserve_back(16, 6);
    tilize_block(0, 6, 16);
    cb_push_back(16, 6);
    cb_pop_front(0, 6);
"""
    result, _ = operation(tilizes, [a], (32, 192), row_major=["in"])
    assert (result == a).all()
    from_dst = """
    tile_regs_acquire();
    for (uint32_t tile = 0; tile < 6; ++tile) {{
        copy_tile(0, tile, tile);
    }}
    tile_regs_commit();
    tile_regs_wait();
    pack_untilize_dest<3, 6>(16, 1, 0);
    pack_untilize_dest<3, 6, false, false, 32, {}>(16, 1, 1{});
    tile_regs_release()"""
    for init, call in (
        ("untilize_init(0)", "untilize_block(0, 6, 16)"),
        ("pack_untilize_init<6>(0, 16)", "pack_untilize_block<6>(0, 1, 16)"),
        ("fast_untilize_init<6>(0, 16)", "fast_untilize_block<6>(0, 16)"),
        ("copy_tile_init(0); pack_untilize_dest_init<3, 6>(16)", from_dst.format(0, ", 3")),
        ("copy_tile_init(0); pack_untilize_dest_init<3, 6>(16)", from_dst.format(3, ", 16, 4")),
    ):
        untilizes = tilizes.replace("tilize_init(0, 6, 16)", init).replace("tilize_block(0, 6, 16)", call)
        result, _ = operation(untilizes, [a], (32, 192), row_major=["out"])
        assert (result == a).all()


def test_packs_with_relu_and_adds_to_l1() -> None:
    a = random_matrix(64, 32)
    body = OF_ONE.format(tiles=2, call=COPY)
    result, _ = operation(f"pack_relu_config(ReluConfig::zero());{body}", [a], (64, 32))
    assert (result == numpy.maximum(a, 0)).all()
    twice = """
    copy_tile_init(0);
    cb_wait_front(0, 2);
    cb_reserve_back(16, 1);
    for (uint32_t tile = 0; tile < 2; ++tile) {
        tile_regs_acquire();
        copy_tile(0, tile, 0);
        tile_regs_commit();
        tile_regs_wait();
        pack_reconfig_l1_acc(tile);
        pack_tile<true>(0, 16, 0);
        tile_regs_release();
    }
    cb_push_back(16, 1);
    cb_pop_front(0, 2);
"""
    result, _ = operation(twice, [a], (32, 32), result_format="Float32")
    numpy.testing.assert_allclose(result, a[:32] + a[32:], atol=0.01)


def test_a_kernel_of_2024_has_its_entry_in_a_namespace() -> None:
    a = random_matrix(32, 32)
    source = """
namespace NAMESPACE {
void MAIN {
    init_sfpu(0, 16);
    acquire_dst();
    cb_wait_front(0, 1);
    copy_tile(0, 0, 0);
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    cb_pop_front(0, 1);
    release_dst();
}
}
"""
    result, _ = operation(source, [a], (32, 32))
    assert (result == a).all()


@pytest.mark.parametrize("call", ["read_tile_value", "DataflowBuffer(0).read_tile_value<uint16_t>"])
def test_all_threads_see_a_value_of_a_page(call: str) -> None:
    a = random_matrix(32, 32)
    place = "0, 0" if "DataflowBuffer" in call else "0, 0, 0"
    body = f"""
    cb_wait_front(0, 1);
    const uint32_t word = {call}({place});
    cb_pop_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_acquire();
    fill_tile_init();
    fill_tile_bitcast(0, word << 16);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
"""
    result, _ = operation(body, [a], (32, 32))
    assert (result == a[0, 0]).all()


# Calls on A in tiles 0 and, after its square, 2 of Dst, and on B in tile 1. Numbers are given by their bits.
QUARTER, HALF, TWO = "0x3e800000", "0x3f000000", "0x40000000"
FURTHER_CALLS: Expected = {
    f"addcmul_tile(0, 1, 2, 0, {TWO});": lambda a, b: a + 2 * b * a * a,
    f"fill_tile(2, 4.0f); addcdiv_tile(0, 1, 2, 0, {TWO});": lambda a, b: a + b / 2,
    "lerp_tile(0, 1, 2, 0);": lambda a, b: a + a * a * (b - a),
    "mac_tile(0, 1, 2, 0);": lambda a, b: a * b + a * a,
    "fill_tile(2, 4.0f); snake_beta_tile(0, 1, 2, 0);": lambda a, b: a + numpy.sin(a * b) ** 2 / 4,
    "gtz_tile(1); mask_tile(0, 1);": lambda a, b: numpy.where(b > 0, a, 0),
    "gtz_tile(1); mask_posinf_tile(0, 1);": lambda a, b: numpy.where(b > 0, a, numpy.inf),
    "copy_dest_values(1, 0);": lambda _, b: b,
    "cumsum_tile(0);": lambda a, _: numpy.cumsum(a, axis=0),
    "sfpu_add_bcast_row(0, 1);": lambda a, b: a + b[:1, :],
    "sfpu_sub_bcast_row(0, 1);": lambda a, b: a - b[:1, :],
    "sfpu_mul_bcast_col(0, 1);": lambda a, b: a * b[:, :1],
    "sub_tiles_bcast_rows(0, 1, 0, 0, 0, 9);": lambda a, b: a - b[9:10, :],
    "add_reuse_dest_tiles<EltwiseBinaryReuseDestType::DEST_TO_SRCA>(1, 0, 0);": lambda a, b: a + b,
    "sub_reuse_dest_tiles<EltwiseBinaryReuseDestType::DEST_TO_SRCA>(1, 0, 0);": lambda a, b: a - b,
    "sub_reuse_dest_tiles<EltwiseBinaryReuseDestType::DEST_TO_SRCB>(1, 0, 0);": lambda a, b: b - a,
    "exp_tile_init(); exp_tile(0, VectorMode::RC, 0x4000);": lambda a, _: numpy.exp(2 * a),
    "exp_tile_init<1u>(); exp_tile<1u>(0);": lambda a, _: numpy.exp(a),
    f"exp_tile_init<true, {TWO}>(); exp_tile<true>(0);": lambda a, _: numpy.exp(2 * a),
    f"fmod_tile_init({QUARTER}, 0x40800000); fmod_tile(0);": lambda a, _: numpy.fmod(a, 0.25),
    f"remainder_tile_init(); remainder_tile(0, {QUARTER}, 0x40800000);": lambda a, _: numpy.remainder(a, 0.25),
    f"rdiv_tile<RoundingMode::Floor>(0, {TWO});": lambda a, _: numpy.floor(2 / a),
    f"isclose_binary_tile(0, 1, 0, {HALF}, {QUARTER});": lambda a, b: numpy.isclose(a, b, 0.5, 0.25).astype(float),
    f"softplus_tile(0, {TWO}, {HALF}, {HALF});": lambda a, _: numpy.where(
        2 * a > 0.5, a, numpy.log1p(numpy.exp(2 * a)) / 2
    ),
    f"xielu_tile(0, {TWO}, {HALF});": lambda a, _: numpy.where(a > 0, 2 * a * a, (numpy.expm1(a) - a) / 2) + a / 2,
    "situ_glu_tile(0, 1, 0);": lambda a, b: 4 * numpy.tanh(a / 4) / (1 + numpy.exp(-a)) * 25 * numpy.tanh(b / 25),
}


def test_further_calls() -> None:
    a, b = random_matrix(32, 32, 1), random_matrix(32, 32, 2)
    load = "copy_tile(0, 0, 0); copy_tile(1, 0, 1); copy_tile(0, 0, 2); square_tile(2);"
    results = results_of((load + call for call in FURTHER_CALLS), [a, b])
    wanted = [expected(a.astype(float), b.astype(float)) for expected in FURTHER_CALLS.values()]
    wrong = [
        call
        for call, found, expected in zip(FURTHER_CALLS, results, wanted, strict=True)
        if not numpy.allclose(found, expected, rtol=0.02, atol=0.02)
    ]
    assert wrong == []


CALLS_OF_INTEGERS: Expected = {
    "eqz_tile_int32(0);": lambda a, _: a == 0,
    "unary_gt_tile_int32(0, -5);": lambda a, _: a > -5,
    "lt_int32_tile(0, 1, 0);": lambda a, b: a < b,
    "ge_int_tile<DataFormat::Int32>(0, 1, 0);": lambda a, b: a >= b,
    "lt_int_tile<DataFormat::UInt32>(0, 1, 0);": lambda a, b: a.astype("<u4") < b.astype("<u4"),
    "right_shift_tile<DataFormat::Int32>(0, 3);": lambda a, _: a >> 3,
    "right_shift_tile<DataFormat::UInt32>(0, 40);": lambda a, _: a < 0,
    "fill_tile_int(1, 30); binary_right_shift_tile<DataFormat::UInt32>(0, 1, 0);": lambda a, _: (a & 0xFFFFFFFF) >> 30,
    "relu_max_tile_int32(0, 6u);": lambda a, _: numpy.clip(a, 0, 6),
    "clamp_tile_int32(0, -3, 9);": lambda a, _: numpy.clip(a, -3, 9),
    "mul_int_tile<DataFormat::Int32>(0, 1, 0);": lambda a, b: a * b,
    "rsub_int_tile<DataFormat::Int32>(0, 1, 0);": lambda a, b: b - a,
    "div_int32_floor_tile(0, 1, 0);": lambda a, b: a // b,
    "remainder_int32_tile(0, 1, 0);": numpy.remainder,
    "fmod_int32_tile(0, 1, 0);": numpy.fmod,
    "gcd_tile(0, 1, 0);": numpy.gcd,
    "bitwise_xor_binary_tile(0, 1, 0);": lambda a, b: a ^ b,
    "fill_tile_int(1, 28); binary_logical_right_shift_tile(0, 1, 0);": lambda a, _: (a & 0xFFFFFFFF) >> 28,
    "remainder_uint32_tile(0, 1, 0);": lambda a, b: (a.astype("<u4") % b.astype("<u4")).astype("<i4"),
    "fill_tile_int(2, 7); where_tile<DataFormat::Int32>(0, 1, 2, 0);": lambda a, b: numpy.where(a != 0, b, 7),
    "fill_tile_int(2, 7); addcmul_tile<DataFormat::Int32>(0, 1, 2, 0, 3);": lambda a, b: a + 21 * b,
    "typecast_tile<14, 8>(0);": lambda a, _: a.astype("i1"),
    "typecast_tile<14, 0>(0); typecast_tile<0, 8>(0);": lambda a, _: a.astype("i1"),
    "typecast_tile<8, 0>(0); fill_tile(1, 0.5f); quant_tile_init(0x41200000); quant_tile(0, 1, 0);": (
        lambda a, _: numpy.clip(numpy.rint(a / 2 + 10), -127, 127)
    ),
    "fill_tile(1, 0.5f); requant_int8_tile_init(0x41200000); requant_int8_tile(0, 1, 0);": (
        lambda a, _: numpy.clip(numpy.rint(a / 2 + 10), -128, 127)
    ),
    "fill_tile(1, 2.0f); dequant_tile_init(0x41200000); dequant_tile(0, 1, 0); typecast_tile<0, 8>(0);": (
        lambda a, _: 2 * (a + 10)
    ),
}


def test_calls_of_integers() -> None:
    random = numpy.random.default_rng(1)
    a, b = random.integers(-400, 400, (32, 32)), random.integers(1, 10, (32, 32)) * random.choice([-1, 1], (32, 32))
    a[0, :4] = 0
    load = "copy_tile(0, 0, 0); copy_tile(1, 0, 1);"
    options = ComputeOptions(has_wide_dst=True, exact_buffers=3)
    formats = {"formats": ["Int32", "Int32"], "result_format": "Int32"}
    results = results_of((load + call for call in CALLS_OF_INTEGERS), [a, b], options=options, **formats)
    wanted = [expected(a, b) for expected in CALLS_OF_INTEGERS.values()]
    wrong = [
        call
        for call, found, expected in zip(CALLS_OF_INTEGERS, results, wanted, strict=True)
        if (found != expected).any()
    ]
    assert wrong == []


def test_reductions_of_several_tiles_and_of_dst() -> None:
    a, ones = random_matrix(64, 32) - 2, numpy.ones((32, 32), "<f4")  # a maximum must not begin at 0
    reduce = "copy_tile(0, 0, 0); sfpu_reduce<PoolType::{}, DataFormat::Float32, ReduceDim::REDUCE_{}>(0);".format
    calls = [
        "reduce_block_max_row<2>(0, 1, 0, 0);",
        "reduce_block_max_row_init_runtime(16, 2, 0, 1); reduce_block_max_row_runtime(0, 1, 0, 0);",
        reduce("SUM", "COL"),
        reduce("MAX", "ROW"),
        reduce("AVG", "COL"),
        "copy_tile(0, 0, 0); cumsum_tile(0); copy_tile(0, 1, 0); cumsum_tile(0, false);",
    ]
    options = ComputeOptions(has_wide_dst=True, exact_buffers=1)
    formats = {"formats": ["Float32", "Float32"], "result_format": "Float32"}
    results = results_of(calls, [a, ones], options=options, **formats)
    found = [*results[:2, :, 0], results[2][0], results[3][:, 0], results[4][0], results[5]]
    first, second = a[:32], a[32:]
    wanted = [
        numpy.maximum(first, second).max(axis=1),
        numpy.maximum(first, second).max(axis=1),
        first.sum(axis=0),
        first.max(axis=1),
        first.mean(axis=0),
        first.sum(axis=0) + numpy.cumsum(second, axis=0),
    ]
    for values, expected in zip(found, wanted, strict=True):
        numpy.testing.assert_allclose(values, expected, rtol=1e-3)


def test_random_numbers_follow_from_their_seed() -> None:
    draw = "rand_tile(0, 0, 0x3f800000);"
    results = results_of([f"rand_tile_init(5); {draw}", draw, f"rand_tile_init(5); {draw}"], [random_matrix(32, 32)])
    assert (results[0] == results[2]).all()
    assert (results[0] != results[1]).mean() > PCC - 0.01
    assert 0 <= results.min() < 0.01 < 0.99 < results.max() <= 1


@pytest.mark.parametrize(
    "call",
    ["add_binary_tile(0, 1, 0);", "copy_tile(1, 0, 2); mac_tile(0, 1, 2, 0);"],
    ids=["of two tiles", "of three tiles"],
)
@pytest.mark.parametrize("has_wide_dst", [False, True])
def test_results_of_functions_are_rounded_to_dst(call: str, has_wide_dst: bool) -> None:
    a, b = numpy.full((32, 32), 256, "<f4"), numpy.ones((32, 32), "<f4")
    body = f"copy_tile(0, 0, 0); copy_tile(1, 0, 1); {call} copy_tile(0, 0, 1); sub_binary_tile(0, 1, 0);"
    (result,) = results_of([body], [a, b], options=ComputeOptions(has_wide_dst=has_wide_dst))
    assert (result == int(has_wide_dst)).all()  # bfloat16 does not hold 257


def test_integers_of_16_bits_stay_whole_in_narrow_dst() -> None:
    a = numpy.arange(1024).reshape(32, 32) * 60
    calls = {
        "bitwise_xor_tile<DataFormat::UInt16>(0, 0x5555);": a ^ 0x5555,
        "relu_max_tile_uint16(0, 700u);": numpy.minimum(a, 700),
        "eqz_tile_uint16(0);": a == 0,
        "transpose_wh_dest(0);": a.T,
        "typecast_tile<9, 24>(0);": a,  # to UInt32
        "copy_dest_values(0, 1); add_int_tile<DataFormat::UInt16>(0, 1, 0);": 2 * a & 0xFFFF,
        "copy_dest_values(0, 1); fill_tile_int(0, 1); where_tile<DataFormat::UInt16>(0, 1, 0, 0);": a,
    }
    formats = {"formats": ["UInt16"], "result_format": "UInt16"}
    results = results_of((f"copy_tile(0, 0, 0); {call}" for call in calls), [a], **formats)
    wrong = [call for (call, wanted), found in zip(calls.items(), results, strict=True) if (found != wanted).any()]
    assert wrong == []


def factors_of_rows(scaler: numpy.ndarray, rows: int) -> numpy.ndarray:
    """Returns what a reduction of columns multiplies the values of up to 16 rows by."""
    return numpy.repeat(scaler[0].reshape(2, 16)[:, :rows].T, 16, axis=1)


@pytest.mark.parametrize("rows", [16, 4])
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("mm_init(0, 1, 16); matmul_tiles(0, 1, 0, 0, 0);", lambda a, b: a @ b),
        ("add_bcast_rows_init_short(0, 1); add_tiles_bcast_rows(0, 1, 0, 0, 0);", lambda a, b: a + b[:1]),
        # Rows that a tile does not have take no part.
        (
            "reduce_init(0, 1, 16); reduce_tile<PoolType::MAX, ReduceDim::REDUCE_COL>(0, 1, 0, 0, 0);",
            lambda a, b: numpy.concatenate([(a * factors_of_rows(b, len(a))).max(axis=0, keepdims=True), 0 * a[1:]]),
        ),
    ],
    ids=["product", "sum", "reduction"],
)
def test_of_tiles_with_fewer_rows(rows: int, call: str, expected: object) -> None:
    a, b = random_matrix(rows, 32, 1) - 2, random_matrix(32, 32, 2) + 2
    wanted = expected(a, b)  # type: ignore[operator] # of numpy arrays
    result, _ = operation(OF_TWO.format(tiles=1, call=call), [a, b], (rows, 32), tile_rows=(rows, 32, rows))
    used = slice(None) if "reduce" not in call else slice(0, 1)
    assert numpy.abs(result - wanted)[used].max() <= 0.02 * numpy.abs(wanted).max()


@pytest.mark.parametrize(
    ("body", "row_major"),
    [
        ("tilize_init(0, 1, 16); tilize_block(0, 1, 16);", "in"),
        ("pack_untilize_init<1>(0, 16); pack_untilize_block<1>(0, 1, 16);", "out"),
    ],
    ids=["tilized", "untilized"],
)
def test_rows_become_tiles_with_fewer_rows(body: str, row_major: str) -> None:
    a = random_matrix(24, 32)
    loop = f"""
    for (uint32_t tile = 0; tile < 3; ++tile) {{
        cb_wait_front(0, 1);
        cb_reserve_back(16, 1);
        {body}
        cb_pop_front(0, 1);
        cb_push_back(16, 1);
    }}
"""
    result, _ = operation(loop, [a], a.shape, row_major=[row_major], tile_rows=(8, 32, 8))
    assert (result == a).all()


def test_addresses_of_buffers_are_in_units_of_16_bytes() -> None:
    a = random_matrix(32, 32)
    body = """
    DataflowBuffer source(0);
    DataflowBuffer target(16);
    cb_wait_front(0, 1);
    cb_reserve_back(16, 1);
    UNPACK({
        // The thread copies a page by itself, and the count of pages is that of pack.
        const auto* from = reinterpret_cast<volatile uint32_t*>(source.get_read_ptr() << cb_addr_shift);
        auto* to = reinterpret_cast<volatile uint32_t*>(target.get_write_ptr() << 4);
        for (uint32_t i = 0; i < target.get_entry_size() / 4; ++i) {
            to[i] = from[i];
        }
    })
    const uint32_t done = read_tile_value(0, 0, 0);
    PACK(static_cast<void>(done);)
    cb_push_back(16, 1);
    cb_pop_front(0, 1);
"""
    result, _ = operation(body, [a], (32, 32))
    assert (result == a).all()


@pytest.mark.parametrize(
    ("init", "call", "expected"),
    [
        ("silu_tile_init_pack();", "silu_tile_pack(0);", lambda a: a / (1 + numpy.exp(-a))),
        ("relu_max_tile_init_pack();", "relu_max_tile_pack(0, 0x3f000000);", lambda a: numpy.clip(a, 0, 0.5)),
        ("exp_packthread_tile_init<true, 0x40000000>();", "exp_packthread_tile<true>(0);", lambda a: numpy.exp(2 * a)),
    ],
    ids=["silu", "relu_max", "exp"],
)
def test_pack_calls_functions_too(init: str, call: str, expected: object) -> None:
    a = random_matrix(96, 32)
    wanted = expected(a)  # type: ignore[operator] # of numpy arrays
    body = OF_ONE.format(tiles=3, call=COPY).replace("tile_regs_wait();", f"tile_regs_wait(); {call}")
    result, _ = operation(init + body, [a], a.shape)
    assert numpy.abs(result - wanted).max() <= 0.01 * numpy.abs(wanted).max()


def test_math_may_clear_dst() -> None:
    a = random_matrix(96, 32)
    body = OF_ONE.format(tiles=3, call=COPY)
    for call in ("tile_regs_acquire", "tile_regs_release"):
        body = body.replace(call, f"{call}_math_clear")
    result, _ = operation(body, [a], a.shape)
    assert (result == a).all()


LOAD_SORTED = "".join(f"copy_tile({tile // 2}, {tile % 2}, {tile});" for tile in range(4))
STABLE = "true, DST_ACCUM_MODE, false, false, TopkTieOrder::{}"


def sorted_columns(calls: str, values: numpy.ndarray, **settings: object) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Returns the first 32 values of each column of 64, and their indices, after calls that sort."""
    indices = numpy.broadcast_to(numpy.arange(64)[:, None], values.shape).astype("<f4")
    move = "copy_dest_values(2, 0);"
    load = LOAD_SORTED + calls
    found = results_of([load, load + move], [values, indices], **settings)
    return found[0], found[1]


@pytest.mark.parametrize(("order", "direction"), [("Descending", 0), ("Ascending", 1)])
def test_sorts_columns_of_two_tiles(order: str, direction: int) -> None:
    values = numpy.random.default_rng(1).integers(-9, 9, (64, 32)).astype("<f4")  # many are equal
    found, indices = sorted_columns(f"topk_local_sort<{STABLE.format(order)}>(0, {direction}, 5);", values)
    places = numpy.argsort(values if direction else -values, axis=0, kind="stable")[:32]
    assert (found == numpy.take_along_axis(values, places, 0)).all()
    assert (indices == places).all()


@pytest.mark.parametrize("k", [4, 16, 32])
@pytest.mark.parametrize("direction", ["false", "true"])
def test_finds_the_first_values_of_columns(k: int, direction: str) -> None:
    values = numpy.random.default_rng(1).permuted(numpy.arange(-32.0, 32)[:, None] * numpy.ones(32), axis=0)
    log_k = k.bit_length() - 1
    calls = f"topk_local_sort(0, {direction}, {log_k - 1});"
    for iteration in range(6 - log_k):
        calls += f"topk_merge<{direction}>(0, {iteration}, {k});"
        calls += f"topk_rebuild(0, {direction}, {iteration}, {k}, {log_k}, {iteration == 5 - log_k:d});"
    found, indices = sorted_columns(calls, values)
    wanted = numpy.sort(values, axis=0)
    wanted = wanted[:k] if direction == "true" else wanted[::-1][:k]
    assert (found[:k] == wanted).all()
    assert (numpy.take_along_axis(values, indices[:k].astype(int), 0) == wanted).all()


@pytest.mark.parametrize("largest", [True, False])
def test_sorts_keys_of_values_and_indices(largest: bool) -> None:
    values = numpy.random.default_rng(1).integers(-9, 9, (64, 32)).astype("<f4")
    order = str(largest).lower()
    calls = f"""
    topk_fuse_tile<{order}>(0);
    topk_local_sort<false, true, true>(0, {not largest:d}, 5);
    topk_defuse_tile<{order}>(0, 1);
    typecast_tile<9, 0>(2);
"""
    found, indices = sorted_columns(
        calls,
        values,
        formats=["Float32", "UInt16"],
        result_format="Float32",
        options=ComputeOptions(has_wide_dst=True),
    )
    places = numpy.argsort(-values if largest else values, axis=0, kind="stable")[:32]
    assert (found == numpy.take_along_axis(values, places, 0)).all()
    assert (indices == places).all()
