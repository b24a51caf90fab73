"""Compute kernels: the values that each call of the compute API leaves, against numpy."""

from __future__ import annotations

import numpy
import pytest
from compute_programs import operation, random_matrix

from nocbench import ComputeOptions, correlation

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
    a = random_matrix(32, 128)
    tilizes = """
    tilize_init(0, 4, 16);
    cb_wait_front(0, 4);
    cb_reserve_back(16, 4);
    tilize_block(0, 4, 16);
    cb_push_back(16, 4);
    cb_pop_front(0, 4);
"""
    result, _ = operation(tilizes, [a], (32, 128), row_major=["in"])
    assert (result == a).all()
    for init, call in (
        ("untilize_init(0)", "untilize_block(0, 4, 16)"),
        ("pack_untilize_init<4>(0, 16)", "pack_untilize_block<4>(0, 1, 16)"),
    ):
        untilizes = tilizes.replace("tilize_init(0, 4, 16)", init).replace("tilize_block(0, 4, 16)", call)
        result, _ = operation(untilizes, [a], (32, 128), row_major=["out"])
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
