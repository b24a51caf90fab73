"""Mean and variance of columns, which the vector unit gathers over several calls, against numpy."""

from __future__ import annotations

import numpy
import pytest
from compute_programs import operation, random_matrix

from nocbench import ComputeOptions

# Two tiles in, to Dst 0 and 3; the two tiles of a result out, from Dst 1 and 2.
BODY = """
    constexpr std::array<uint32_t, 0> none{{}};
    constexpr auto word = [](float value) {{ return __builtin_bit_cast(uint32_t, value); }};
    copy_init(0);
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    copy_tile(1, 0, 3);
    {calls}
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    cb_reserve_back(16, 2);
    tile_regs_wait();
    pack_tile(1, 16);
    pack_tile(2, 16);
    tile_regs_release();
    cb_push_back(16, 2);
"""
# Numbers that bfloat16 can hold.
A, B = (numpy.round(64 * random_matrix(32, 32, seed)) / 64 + seed for seed in (1, 2))


def gathered(calls: str) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Returns the two tiles that calls leave."""
    options = ComputeOptions(has_wide_dst=True)
    result, _ = operation(BODY.format(calls=calls), [A, B], (64, 32), options=options, result_format="Float32")
    return result[:32], result[32:]


def two_passes(*rows: str) -> str:
    """Returns calls of both passes over rows of tiles: the arguments of each call."""
    count = sum(int(its.split(",")[2]) for its in rows)
    first = "two_pass_stats_update_shifted_rows<TwoPassAccumulation::ShiftedSum"
    return " ".join(
        [
            "two_pass_stats_init_shifted();",
            f"{first}, TwoPassAnchor::Initialise>({rows[0]});",
            *(f"{first}>({its});" for its in rows[1:]),
            f"two_pass_stats_finish_shifted_mean<true, true>(word(1.0f / {count}));",
            *(f"two_pass_stats_update_rows({its});" for its in rows),
        ]
    )


BOTH = numpy.vstack([A, B[:20]])
GOES_ON = (
    "welford_restore_state(1, 5); welford_init<WelfordInitMode::PreserveStats>();"
    "welford_update_rows(3, 32, 0, 20, none); welford_finalize_to_row(1, 51, none);"
)


@pytest.mark.parametrize(
    ("calls", "rows"),
    [
        ("welford_init(); welford_update(0, 0, none); welford_finalize_to_row(1, 31, none);", A),
        ("welford_clear(); welford_update_rows(0, 0, 5, 9, none); welford_finalize_to_row(1, 8, none);", A[5:14]),
        (
            "welford_init(); welford_update(0, 0, none); welford_save_state(1, 5); welford_clear();" + GOES_ON,
            BOTH,
        ),
        (two_passes("0, 0, 32", "3, 0, 20") + "two_pass_stats_finalize_to_row(1, word(1.0f / 52));", BOTH),
        (
            two_passes("0, 0, 32") + "two_pass_stats_save_state(1);" + two_passes("3, 0, 20")
            + "two_pass_stats_combine_block(1, word(1.0f / 52), word(20.0f));"
            + "two_pass_stats_finalize_to_row(1, word(1.0f / 52));",
            BOTH,
        ),
    ],
    ids=["all_rows", "some_rows", "saved", "two_passes", "merged"],
)  # fmt: skip
def test_mean_and_variance_in_a_row(calls: str, rows: numpy.ndarray) -> None:
    mean, variance = gathered(calls)
    numpy.testing.assert_allclose(mean[0], rows.mean(axis=0), rtol=1e-5, atol=1e-5)
    numpy.testing.assert_allclose(variance[0], rows.var(axis=0), rtol=1e-4)
    assert not mean[1:4].any()


def test_reciprocals_of_a_table_count() -> None:
    mean, _ = gathered(
        "const std::array<uint32_t, 2> table{word(1), word(0.25f)};"
        "welford_init(); welford_update_rows(0, 0, 0, 2, table); welford_finalize_to_row(1, 1, table);"
    )
    numpy.testing.assert_allclose(mean[0], A[0] + 0.25 * (A[1] - A[0]), rtol=1e-5)


def test_places_of_a_group() -> None:
    mean, variance = gathered(two_passes("0, 0, 32") + "two_pass_stats_finalize_to_face(1, 1, word(1.0f / 32));")
    # Four rows of a face, in every second column: even and odd columns of the left half, then of the right one.
    columns = [half + parity + 2 * step for half in (0, 16) for parity in (0, 1) for step in range(8)]
    numpy.testing.assert_allclose(mean[4:8, :16:2].reshape(-1), A.mean(axis=0)[columns], rtol=1e-5)
    numpy.testing.assert_allclose(variance[4:8, :16:2].reshape(-1), A.var(axis=0)[columns], rtol=1e-4)
    assert not mean[:4].any()


@pytest.mark.parametrize("averages", [True, False])
def test_all_columns_together(averages: bool) -> None:
    calls = f"two_pass_stats_finalize_and_combine_to_face<true, {str(averages).lower()}>(1, 0, word(1.0f / 32));"
    mean, variance = gathered(two_passes("0, 0, 32") + calls)
    numpy.testing.assert_allclose(mean[0, 0], A.mean(), rtol=1e-5)
    numpy.testing.assert_allclose(variance[0, 0], A.var() * (1 if averages else 32), rtol=1e-4)


def test_mean_in_two_parts() -> None:
    anchor, variance = gathered(
        two_passes("0, 0, 32") + "two_pass_stats_finalize_split_mean_to_row(1, word(1.0f / 32));"
    )
    numpy.testing.assert_allclose(anchor[0], A[0], rtol=1e-6)
    numpy.testing.assert_allclose(anchor[0] - anchor[16], A.mean(axis=0), rtol=1e-5)
    numpy.testing.assert_allclose(variance[0], A.var(axis=0), rtol=1e-4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("welford_update_rows(0, 0, 20, 13, none);", "expected rows of a tile of 32, found"),
        ("welford_save_state(1, 16);", "expected a group from 0 to 15, found 16"),
        ("welford_save_state(3);", "expected a tile of Dst from 0 to 3, found 4"),
    ],
)
def test_mistakes(call: str, message: str) -> None:
    with pytest.raises(Exception, match=message):
        gathered(call)


def test_normalizes_by_two_tiles() -> None:
    found, _ = gathered(
        "copy_tile(0, 0, 1); copy_tile(1, 0, 2); sfpu_bcast_col_init(); sfpu_normalize_bcast_col(1, 3, 2);"
    )
    numpy.testing.assert_allclose(found, (A - B[:, :1]) * B[:, :1], rtol=2e-2, atol=2e-2)
