"""Trials of kernels that normalize rows: softmax, layer norm, RMS norm, and their statistics."""

from __future__ import annotations

from dataclasses import replace

import numpy
from compute_trial import ComputeTrial, Pages, tiles, trial_of

from nocbench import ComputeOptions

EPSILON = 0.25
"""Large enough to be seen in the results."""

FAR = 8
"""Value in columns that do not count, away from those that do."""

DISTRIBUTED = "operations/normalization/{0}_distributed/device/kernels/compute/{1}.cpp"
LAYERNORM = "operations/normalization/layernorm/device/kernels/compute/{0}.cpp"


def tiled(matrix: numpy.ndarray) -> numpy.ndarray:
    """Returns the tiles of a matrix, one row of tiles after the other, stacked."""
    rows, columns = matrix.shape
    return matrix.reshape(rows // 32, 32, columns // 32, 32).swapaxes(1, 2).reshape(-1, 32).astype("<f4")


def matrix(rows: int, columns: int, seed: int, low: float = -1, high: float = 1) -> numpy.ndarray:
    """Returns a matrix of random numbers that bfloat16 can hold, rows and columns in tiles."""
    return tiles(rows * columns, seed, low, high).reshape(32 * rows, 32 * columns)


def tiles_of_bfloat16(values: numpy.ndarray) -> numpy.ndarray:
    """Returns values cut to what bfloat16 can hold."""
    return (values.astype("<f4").view("<u4") & 0xFFFF0000).view("<f4")


def first_row(values: numpy.ndarray) -> numpy.ndarray:
    """Returns tiles, side by side, with a vector in their first rows."""
    return tiled(numpy.vstack([values, numpy.zeros((31, values.size))]))


def first_column(values: numpy.ndarray) -> numpy.ndarray:
    """Returns tiles, one below the other, with a vector in their first columns."""
    return tiled(numpy.hstack([values.reshape(-1, 1), numpy.zeros((values.size, 31))]))


def filled(value: float) -> numpy.ndarray:
    """Returns a tile of one value."""
    return numpy.full((32, 32), value, "<f4")


def first_value(value: float) -> numpy.ndarray:
    """Returns a tile with a value in its first place."""
    return first_column(numpy.array([value] + 31 * [0.0]))


def of_row(statistics: numpy.ndarray) -> numpy.ndarray:
    """Returns one value per row as a column, to combine with a matrix."""
    return statistics.reshape(-1, 1)


def normalized(values: numpy.ndarray) -> numpy.ndarray:
    """Returns rows with the mean 0 and, without epsilon, the variance 1."""
    return (values - of_row(values.mean(axis=1))) / numpy.sqrt(of_row(values.var(axis=1)) + EPSILON)


def scaled_by_rms(values: numpy.ndarray) -> numpy.ndarray:
    """Returns rows divided by the root of their mean square."""
    return values / numpy.sqrt(of_row((values**2).mean(axis=1)) + EPSILON)


def sums_of_shares(terms: list[numpy.ndarray], shares: int) -> numpy.ndarray:
    """Returns the sums of each share of rows, in first columns of tiles: those of all terms, share by share."""
    columns = [
        numpy.split(first_column(share.sum(axis=1)), len(share) // 32)
        for its in zip(*(numpy.split(term.astype(float), shares, axis=1) for term in terms), strict=True)
        for share in its
    ]
    return numpy.vstack([tile for row in zip(*columns, strict=True) for tile in row])


def means_of_shares(values: numpy.ndarray, shares: int) -> numpy.ndarray:
    """Returns mean and variance of each share of rows, in first columns of tiles."""
    tiles_of_row = []
    for row in numpy.split(values.astype(float), len(values) // 32):
        for share in numpy.split(row, shares, axis=1):
            tiles_of_row += [first_column(share.mean(axis=1)), first_column(share.var(axis=1))]
    return numpy.vstack(tiles_of_row)


def reciprocals(count: int) -> Pages:
    """Returns a page with 1, 1/2, 1/3 and so on."""
    values = (1 / numpy.arange(1, count + 1)).astype("<f4").reshape(1, count)
    return Pages(values, "Float32", name="recip", is_rows=True)


def word_of(value: float) -> int:
    """Returns the bits of a number."""
    return int(numpy.float32(value).view(numpy.uint32))


def in_rows(statistics: numpy.ndarray) -> numpy.ndarray:
    """Returns pairs of tiles with mean and variance of 32 rows of a matrix in their first rows."""
    return numpy.vstack(
        [first_row(its) for part in numpy.hsplit(statistics, statistics.shape[1] // 32) for its in part]
    )


@trial_of("operations/normalization/softmax/device/kernels/attention/compute/softmax_large_tensor.cpp")
def softmax() -> ComputeTrial:
    """Softmax of rows, scaled and masked; the row is longer than the buffers, and ends within a tile."""
    rows, width, at_once, padding, scale = 2, 6, 4, 10, 0.5
    values, mask = matrix(rows, width, 1, -4, 4), matrix(1, width, 2, -2, 2)[0]
    masked = scale * values.astype(float) + mask
    masked[:, -padding:] = -numpy.inf
    exponentials = numpy.exp(masked - of_row(masked.max(axis=1)))
    mask_rows = numpy.vstack([mask, numpy.zeros((31, mask.size))])
    padded = numpy.zeros((32, 32))
    padded[:, -padding:] = -numpy.inf

    def in_passes(its: numpy.ndarray) -> numpy.ndarray:
        # Each of three passes ends with pages that fill the buffer's round.
        pages = tiled(its).reshape(rows, width, 32, 32)
        rest = numpy.zeros((rows, -width % at_once, 32, 32), "<f4")
        return numpy.concatenate([pages, rest] * 3, axis=1).reshape(-1, 32)

    return ComputeTrial(
        inputs={
            2: Pages(filled(1), name="max_scaler"),
            13: Pages(filled(1), name="sum_scaler"),
            3: Pages(first_value(scale), name="fused_scale"),
            5: Pages(padded, name="mask_padded"),
            0: Pages(in_passes(values), name="in0"),
            4: Pages(in_passes(numpy.tile(mask_rows, (rows, 1))), name="fused_attn"),
        },
        outputs={11: Pages(tiled(exponentials / of_row(exponentials.sum(axis=1))), capacity=4, name="out0")},
        room={
            6: Pages(capacity=at_once, name="exps"),
            7: Pages(capacity=1, name="recip_sum_exps"),
            8: Pages(capacity=1, name="max"),
            9: Pages(capacity=at_once, name="scale_mask"),
            10: Pages(capacity=at_once, name="x"),
            12: Pages(capacity=1, name="prev_reduce"),
            15: Pages(capacity=1, name="prev_max"),
            16: Pages(capacity=1, name="recip"),
        },
        runtime=(rows, width, 2, 1, at_once),
        runtime_names=("num_rows", "Wt", "blk", "mask_padded_data", "dfb_length"),
        defines={"FUSED_SCALE_MASK": 1, "NUMERIC_STABLE": 1, "EXP_APPROX": 0},
    )


@trial_of(LAYERNORM.format("layernorm"))
def layernorm() -> ComputeTrial:
    """Layer norm of a sum, times gamma, plus beta; blocks are not full at the end of a row."""
    rows, width, block = 2, 5, 4
    a, b = matrix(rows, width, 1), matrix(rows, width, 2, 0, 2)
    gamma, beta = matrix(1, width, 3)[0], matrix(1, width, 4)[0]

    def in_blocks(its: numpy.ndarray) -> numpy.ndarray:
        return tiled(numpy.hstack([its, numpy.zeros((32 * rows, 32 * (-width % block)))]))

    in_dst = {"data_format": "Float32", "capacity": 2 * block}
    return ComputeTrial(
        inputs={
            2: Pages(filled(1), name="scaler"),
            3: Pages(first_column(numpy.full(32, EPSILON)), name="eps"),
            5: Pages(first_row(gamma), name="gamma"),
            6: Pages(first_row(beta), name="beta"),
            0: Pages(in_blocks(a), name="in"),
            1: Pages(in_blocks(b), name="inb"),
        },
        outputs={16: Pages(in_blocks(normalized(a.astype(float) + b) * gamma + beta), capacity=2 * block, name="out")},
        room={
            18: Pages(data_format="Float32", capacity=1, name="ex"),
            19: Pages(data_format="Float32", capacity=1, name="ex2"),
            20: Pages(**in_dst, name="xmm2"),
            21: Pages(data_format="Float32", capacity=1, name="ex2pe"),
            22: Pages(**in_dst, name="fusion"),
            23: Pages(**in_dst, name="x"),
            24: Pages(**in_dst, name="xmm"),
        },
        named_constants={
            "Wt": width,
            "block_size": block,
            "do_gamma": 1,
            "do_beta": 1,
            "fp32_dest_acc_en": 1,
            "float32_reduction": 1,
            "W": 32 * width,
            "tile_width": 32,
        },
        runtime=(rows,),
        runtime_names=("NCHt",),
        defines={"FUSE_PRE_ADD": 1, "FUSE_GAMMA": 1, "FUSE_BETA": 1},
        options=ComputeOptions(has_wide_dst=True),
        compared=lambda values: values.reshape(rows, -1, 32, 32)[:, :width],
    )


@trial_of(DISTRIBUTED.format("rmsnorm", "rmsnorm_pre_allgather_2d"))
def sum_of_squares() -> ComputeTrial:
    """Squares of a row, added up; the core adds the sums of three others to its own."""
    width, cores = 4, 3
    values = matrix(1, width, 1)
    partial = matrix(1, cores, 2, 0, 40)
    return ComputeTrial(
        inputs={
            0: Pages(tiled(values)),
            1: Pages(filled(1)),
            13: Pages(filled(0)),
            15: Pages(tiled(partial)),
        },
        outputs={
            16: Pages(first_column((values.astype(float) ** 2).sum(axis=1)), capacity=1),
            14: Pages(tiled(partial.reshape(32, cores, 32).sum(axis=1)), capacity=1),
        },
        room={6: Pages(capacity=2 * width)},
        constants=(1, width, 1, cores, 0),
        runtime=(1,),
    )


@trial_of(DISTRIBUTED.format("rmsnorm", "rmsnorm_post_allgather"))
def rmsnorm_of_shares() -> ComputeTrial:
    """RMS norm of a share of rows, from the sums of squares of two shares, times gamma, plus beta."""
    rows, width, shares = 2, 4, 2
    values = matrix(rows, width * shares, 1)
    mine = values[:, : 32 * width]
    gamma, beta = matrix(1, width, 2)[0], matrix(1, width, 3)[0]
    return ComputeTrial(
        inputs={
            4: Pages(first_column(numpy.full(32, EPSILON))),
            5: Pages(filled(1 / (32 * width * shares))),
            1: Pages(sums_of_shares([values**2], shares)),
            2: Pages(first_row(gamma)),
            3: Pages(first_row(beta)),
            0: Pages(tiled(mine)),
        },
        outputs={14: Pages(tiled(scaled_by_rms(values.astype(float))[:, : 32 * width] * gamma + beta), capacity=width)},
        room={
            8: Pages(capacity=1),
            10: Pages(capacity=1),
            12: Pages(capacity=width),
            13: Pages(capacity=width),
        },
        constants=(width, 4, shares, 1, 1, 0),
        runtime=(rows,),
    )


@trial_of(DISTRIBUTED.format("layernorm", "layernorm_post_allgather"))
def layernorm_of_shares() -> ComputeTrial:
    """Layer norm of a share of rows, from sums and sums of squares of two shares, times gamma, plus beta."""
    rows, width, shares, length = 2, 6, 2, 3
    values = matrix(rows, width * shares, 1, -1, 3)
    gamma, beta = matrix(1, width, 2)[0], matrix(1, width, 3)[0]
    # In parts of a row, gamma and beta come again for each row.
    again = {name: numpy.vstack(rows * [first_row(its)]) for name, its in (("gamma", gamma), ("beta", beta))}
    mean_squared = {"data_format": "Float32", "capacity": 1}
    in_parts = {"data_format": "Float32", "capacity": length}
    return ComputeTrial(
        inputs={
            4: Pages(first_column(numpy.full(32, EPSILON)), name="eps"),
            5: Pages(filled(1 / (32 * width * shares)), name="reduce"),
            1: Pages(sums_of_shares([values**2, values], shares), data_format="Float32", name="stats"),
            2: Pages(again["gamma"], name="gamma"),
            3: Pages(again["beta"], name="beta"),
            0: Pages(tiled(values[:, : 32 * width]), name="inp"),
        },
        outputs={
            14: Pages(
                tiled(normalized(values.astype(float))[:, : 32 * width] * gamma + beta), capacity=length, name="out"
            )
        },
        room={
            6: Pages(data_format="Float32", capacity=2, name="stats_reduced"),
            7: Pages(**mean_squared, name="mean_squared"),
            8: Pages(**mean_squared, name="var"),
            10: Pages(**mean_squared, name="recip_sqrt_var"),
            11: Pages(**in_parts, name="x_minus_mean"),
            12: Pages(**in_parts, name="x_normed"),
            13: Pages(**in_parts, name="times_gamma_out"),
        },
        named_constants={"Wt": width, "stats_tiles_cols": 2 * shares, "dfb_length": length},
        runtime=(rows,),
        runtime_names=("NCHt",),
        defines={"FUSE_GAMMA": 1, "FUSE_BETA": 1},
        options=ComputeOptions(has_wide_dst=True),
    )


@trial_of(
    "operations/experimental/transformer/fused_distributed_rmsnorm/device/kernels/compute/rmsnorm_post_allgather.cpp"
)
def rmsnorm_with_rotation() -> ComputeTrial:
    """RMS norm of a share of rows, times a weight, with pairs of columns rotated as by rotary position embedding."""
    rows, width, shares, block, heads = 2, 8, 2, 4, 4
    values = matrix(rows, width * shares, 1)
    weight = matrix(1, width, 2)[0]
    angles = matrix(rows, width // heads, 3, 0, 3)
    cosines, sines = (tiles_of_bfloat16(its(angles)) for its in (numpy.cos, numpy.sin))
    turn = numpy.kron(numpy.eye(16), numpy.array([[0, 1], [-1, 0]]))
    weighted = scaled_by_rms(values.astype(float))[:, : 32 * width] * weight
    turned = (weighted.reshape(-1, 32) @ turn).reshape(weighted.shape)
    rotated = weighted * numpy.tile(cosines, heads) + turned * numpy.tile(sines, heads)
    in_dst = {"data_format": "Float32"}
    return ComputeTrial(
        inputs={
            2: Pages(filled(1 / (32 * width * shares))),
            3: Pages(first_column(numpy.full(32, EPSILON))),
            8: Pages(turn),
            1: Pages(sums_of_shares([values**2], shares)),
            6: Pages(first_row(weight)),
            9: Pages(tiled(cosines)),
            10: Pages(tiled(sines)),
            0: Pages(tiled(values[:, : 32 * width])),
        },
        outputs={5: Pages(tiled(rotated), capacity=2 * block)},
        room={4: Pages(**in_dst, capacity=1), 7: Pages(**in_dst, capacity=block), 11: Pages(capacity=block)},
        constants=(0, 1, 6, 2, 3, 4, 7, 5, 8, 9, 10, 11, width, block, shares, 1, 1, width // heads),
        runtime=(rows,),
        options=ComputeOptions(has_wide_dst=True),
    )


@trial_of(DISTRIBUTED.format("layernorm", "layernorm_post_allgather_welford"))
def layernorm_of_means() -> ComputeTrial:
    """Layer norm of a share of rows, from means and variances of three shares, times gamma, plus beta."""
    rows, width, shares = 2, 4, 3
    values = matrix(rows, width * shares, 1, -1, 3) + numpy.repeat([0, 1, 2], 32 * width)
    gamma, beta = matrix(1, width, 2)[0], matrix(1, width, 3)[0]
    in_dst = {"data_format": "Float32"}
    return ComputeTrial(
        inputs={
            4: Pages(first_column(numpy.full(32, EPSILON)), name="eps"),
            1: Pages(means_of_shares(values, shares), **in_dst, name="stats"),
            2: Pages(first_row(gamma), name="gamma"),
            3: Pages(first_row(beta), name="beta"),
            0: Pages(tiled(values[:, : 32 * width]), name="inp"),
        },
        outputs={
            14: Pages(
                tiled(normalized(values.astype(float))[:, : 32 * width] * gamma + beta), capacity=width, name="out"
            )
        },
        room={
            6: Pages(**in_dst, capacity=2, name="stats_reduced"),
            10: Pages(**in_dst, capacity=1, name="recip_sqrt_var"),
            11: Pages(**in_dst, capacity=width, name="x_minus_mean"),
            12: Pages(**in_dst, capacity=width, name="x_normed"),
            13: Pages(**in_dst, capacity=width, name="times_gamma_out"),
        },
        named_constants={"Wt": width, "W": 32 * width, "stats_tiles_cols": 2 * shares, "dfb_length": width},
        runtime=(rows,),
        runtime_names=("NCHt",),
        defines={"FUSE_GAMMA": 1, "FUSE_BETA": 1},
        options=ComputeOptions(has_wide_dst=True),
    )


@trial_of(DISTRIBUTED.format("layernorm", "layernorm_pre_allgather_welford"))
def mean_and_variance() -> ComputeTrial:
    """Mean and variance of the rows of a sum, which end within a tile, in blocks of which the last is not full."""
    rows, width, valid, block = 2, 5, 148, 2
    a, b = matrix(rows, width, 1, 1, 3), matrix(rows, width, 2)
    b[:, valid:] = FAR
    in_dst = {"data_format": "Float32"}
    return ComputeTrial(
        inputs={0: Pages(tiled(a), name="in0"), 1: Pages(tiled(b), name="res")},
        outputs={
            14: Pages(means_of_shares((a.astype(float) + b)[:, :valid], 1), "Float32", capacity=2, name="out"),
        },
        room={
            2: reciprocals(valid),
            3: Pages(**in_dst, capacity=2 * block, name="fused"),
            4: Pages(**in_dst, capacity=2, name="scratch"),
            5: Pages(**in_dst, capacity=1, name="mean_spill"),
            6: Pages(**in_dst, capacity=1, name="m2_spill"),
        },
        named_constants={"Wt": width, "W": valid, "blk": block, "welford_unpack_fp32_active": 0},
        runtime=(rows,),
        runtime_names=("NCHt",),
        defines={"FUSE_PRE_ADD": 1},
        options=ComputeOptions(has_wide_dst=True),
        compared=lambda values: values[:, 0],
    )


@trial_of("operations/reduction/generic/device/kernels/compute/welford_reduce_w.cpp")
def standard_deviation() -> ComputeTrial:
    """Standard deviation of a sample in each row, twice; the row ends within a tile."""
    rows, width, valid = 2, 5, 150
    values = matrix(rows, width, 1, 2, 4)
    values[:, valid:] = FAR
    deviations = 2 * values[:, :valid].astype(float).std(axis=1, ddof=1)
    # Tiles that have no place in Dst come once more.
    pages = tiled(values).reshape(rows, width, 32, 32)
    both_passes = numpy.concatenate([pages, pages[:, 2:-1]], axis=1).reshape(-1, 32)
    return ComputeTrial(
        inputs={0: Pages(both_passes, name="in")},
        outputs={16: Pages(first_column(deviations), capacity=2, name="out")},
        named_constants={
            "Wt": width,
            "W": valid,
            "tile_width": 32,
            "is_std": 1,
            "two_pass_mean_reciprocal": word_of(1 / valid),
            "two_pass_variance_reciprocal": word_of(1 / (valid - 1)),
        },
        runtime=(rows, word_of(2)),
        runtime_names=("NCHt", "post_mul_scaler_bits"),
        options=ComputeOptions(has_wide_dst=True),
    )


def in_shards(reaches: tuple[int, ...]) -> tuple[ComputeTrial, list[numpy.ndarray], numpy.ndarray, numpy.ndarray]:
    """Returns what trials of a core have in common that normalizes its share of the columns of a sum.

    The core gives partial statistics to others, gets theirs, and reduces them for the first of its two rows of tiles.

    Args:
        reaches: columns that count of the 128 of each core; the core in question is the last one.

    Returns:
        That part of a trial; the columns that count, by core; the mean of each row, and the reciprocal of its standard
        deviation.
    """
    rows, width = 2, 4
    cores = len(reaches)
    # Rows differ, so that their statistics do.
    a, b = (
        tiles_of_bfloat16(of_row(numpy.linspace(0.5, 2, 32 * rows)) * its)
        for its in (matrix(rows, width * cores, 1, 0, 2), matrix(rows, width * cores, 2))
    )
    mine = slice((cores - 1) * 32 * width, None)
    a[:, mine.start + reaches[-1] :] = FAR
    gamma, beta = matrix(1, width, 3)[0], matrix(1, width, 4)[0]
    added = a.astype(float) + b
    shares = numpy.split(added, cores, axis=1)
    counting = [share[:, :reach] for share, reach in zip(shares, reaches, strict=True)]
    whole = numpy.hstack(counting)
    mean, factor = whole.mean(axis=1), 1 / numpy.sqrt(whole.var(axis=1) + EPSILON)
    result = (added[:, mine] - of_row(mean)) * of_row(factor) * gamma + beta
    trial = ComputeTrial(
        inputs={5: Pages(first_row(gamma), name="gamma"), 6: Pages(first_row(beta), name="beta")},
        outputs={16: Pages(tiled(result), name="out")},
        room={
            0: Pages(tiled(a[:, mine]), name="in0"),
            1: Pages(tiled(b[:, mine]), name="in1"),
            24: Pages(capacity=rows * width, name="x"),
            18: Pages(capacity=rows * width, name="xmm"),
        },
        named_constants={
            "num_blocks_first_stage": cores,
            "block_w": width,
            "block_h": rows,
            "subblock_w": 2,
            "num_subblocks_w": width // 2,
            "num_tiles_per_block": rows * width,
            "float32_dtype": 0,
            "num_blocks_second_stage": 1,
        },
        runtime=(1, 0, 0),
        runtime_names=("num_rows_per_all_to_all_worker", "use_two_stage_reduce", "is_second_stage_reader"),
        defines={"FUSE_PRE_ADD": 1, "FUSE_GAMMA": 1, "FUSE_BETA": 1, "IS_ALLGATHER_WORKER": 1},
    )
    return trial, counting, mean, factor


@trial_of(LAYERNORM.format("layernorm_sharded"))
def layernorm_in_shards() -> ComputeTrial:
    """Layer norm of columns that lie in two cores. Statistics are the mean, then the variance, in first columns."""
    common, shares, mean, factor = in_shards((128, 128))
    means = [share.mean(axis=1) for share in shares]
    squares = [((share - of_row(mean)) ** 2).mean(axis=1) for share in shares]
    return replace(
        common,
        inputs={
            **common.inputs,
            2: Pages(filled(1 / 128), name="scaler"),
            4: Pages(filled(1 / 2), name="scaler_global"),
            3: Pages(first_column(numpy.full(32, EPSILON)), name="eps"),
            10: Pages(numpy.vstack([first_column(its[:32]) for its in means]), name="ex_external"),
            13: Pages(numpy.vstack([first_column(its[:32]) for its in squares]), name="ex_external2"),
            15: Pages(first_column(numpy.hstack([mean, factor])), name="ex_global"),
        },
        outputs={
            8: Pages(first_column(means[-1]), name="ex_partial"),
            9: Pages(first_column(mean[:32]), name="ex"),
            11: Pages(first_column(squares[-1]), name="ex_partial2"),
            20: Pages(first_column(factor[:32]), name="ex2pe"),
            **common.outputs,
        },
        room={**common.room, 12: Pages(capacity=1, name="ex2")},
        runtime=(4, *common.runtime),
        runtime_names=("num_reduce_tiles_per_block_h", *common.runtime_names),
        # Other columns of statistics are not defined.
        compared=lambda values: values if len(values) == 8 * 32 else values[:, 0],
    )


@trial_of(LAYERNORM.format("layernorm_sharded_welford"))
def layernorm_in_shards_by_means() -> ComputeTrial:
    """Layer norm of columns that lie in two cores, of which the last has less. Statistics lie in first rows."""
    last = 80
    common, shares, mean, factor = in_shards((128, last))
    pairs = [numpy.stack([share.mean(axis=1), share.var(axis=1)]) for share in shares]
    results = numpy.stack([mean, factor])
    return replace(
        common,
        inputs={
            **common.inputs,
            10: Pages(numpy.vstack([in_rows(pair[:, :32]) for pair in pairs]), name="ex_external"),
            15: Pages(in_rows(results), name="ex_global"),
        },
        outputs={
            8: Pages(in_rows(pairs[-1]), name="ex_partial"),
            9: Pages(in_rows(results[:, :32]), name="ex"),
            **common.outputs,
        },
        room={
            **common.room,
            21: replace(reciprocals(128), name="reciprocals"),
            22: Pages(capacity=4, name="transpose"),
        },
        named_constants={
            **common.named_constants,
            "tile_width": 32,
            "last_tile_w": last % 32,
            "W": 128 + last,
            "eps": word_of(EPSILON),
            "per_core_recip_lut_size": 128,
            "last_block_wt": -(-last // 32),
        },
        runtime=(last, *common.runtime, 1, 1),
        runtime_names=("welford_reduce_w", *common.runtime_names, "boundary_width_index", "my_width_index"),
        # Other rows of statistics are not defined.
        compared=lambda values: values if len(values) == 8 * 32 else values[::32],
    )


@trial_of("operations/normalization/groupnorm/device/kernels/compute/groupnorm.cpp")
def groupnorm() -> ComputeTrial:
    """Group norm of groups of 16 channels, times gamma, plus beta; four cores have 64 rows each."""
    rows, width, groups, cores = 2, 2, 4, 4
    channels = 32 * width // groups
    values = matrix(rows * cores, width, 1, -1, 3)
    gamma, beta = matrix(1, width, 2)[0], matrix(1, width, 3)[0]
    count = 32 * rows * channels  # of a group in a core
    written = numpy.zeros((32 * rows, 32 * width))
    masks, repeated, before, after = [], [], [], []
    sums: dict[int, list[numpy.ndarray]] = {1: [], 2: []}
    gathered = []
    for group in range(groups):
        mine = slice(group * channels, (group + 1) * channels)
        tile = slice(mine.start // 32 * 32, mine.start // 32 * 32 + 32)
        mask = numpy.zeros(32 * width)
        mask[mine] = 1
        masks.append(first_row(mask[tile]))
        repeated += 3 * [values[: 32 * rows, tile]]
        its = values[:, mine].astype(float)
        for power, center in ((1, 0), (2, its.mean())):
            # Each row of tiles of a core, as a share of the core's mean.
            parts = ((its - center) ** power).reshape(cores * rows, -1).sum(axis=1) / count
            sums[power] += [first_value(part) for part in parts[:rows]]
            gathered.append(numpy.zeros((32, 32)))
            gathered[-1][numpy.arange(parts.size) // 2, numpy.arange(parts.size) % 2 * 8] = parts
        before.append(written[:, tile].copy())
        written[:, mine] = (its[: 32 * rows] - its.mean()) / numpy.sqrt(its.var() + EPSILON)
        if mine.stop == tile.stop:
            written[:, tile] = written[:, tile] * gamma[tile] + beta[tile]
        after.append(written[:, tile].copy())
    return ComputeTrial(
        inputs={
            2: Pages(filled(count**-0.5)),
            4: Pages(filled(cores**-0.5)),
            3: Pages(first_value(EPSILON)),
            5: Pages(first_row(gamma)),
            6: Pages(first_row(beta)),
            28: Pages(numpy.vstack(masks)),
            10: Pages(numpy.vstack(gathered)),
            23: Pages(numpy.vstack(before)),
            0: Pages(numpy.vstack(repeated)),
        },
        outputs={
            8: Pages(numpy.vstack(sums[1])),
            21: Pages(numpy.vstack(sums[2])),
            16: Pages(numpy.vstack(after)),
        },
        room={
            **{buffer: Pages(capacity=1) for buffer in (14, 15, 22, 24, 25, 27, 29)},
            **{buffer: Pages(capacity=groups) for buffer in (9, 13)},
        },
        named_constants={
            "is_mcast_sender": 1,
            "do_gamma": 1,
            "do_beta": 1,
            "num_cores_per_mcast_group": cores,
            "enable_fp32_reconfig": 0,
            "batch": 1,
            "group": groups,
            "block_h": rows,
            "block_w": 1,
            "block_hw": rows,
            "subblock_w": 1,
            "num_subblocks_w": 1,
            "per_core_M": rows,
            "per_core_N": width,
            "per_core_MN": rows * width,
            "per_core_N_tile_bytes": 2048 * width,
            "num_groups_per_reset": 2,
            "single_tile_size_bytes": 2048,
            "num_tiles_input_mask": groups,
            "num_cols_per_group": channels,
            "block_w_last": 1,
            "GROUP_SIZE_IS_POWER_OF_2": 1,
            "GROUP_SIZE_SMALLER_THAN_TILE_W": 1,
            "group_row_offset": channels,
            "num_out_blocks": rows,
            "TILE_WIDTH": 32,
            "logical_hw": 32 * rows * cores,
            "padded_hw": 32 * rows * cores,
            "has_row_mask": 0,
        },
    )
