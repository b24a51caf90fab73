"""Trials of kernels that rearrange values: transposes, tilizing, concatenation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compute_trial import ComputeTrial, Pages, tiles, trial_of

from nocbench import ComputeOptions

if TYPE_CHECKING:
    import numpy


def transposed(stacked: numpy.ndarray) -> numpy.ndarray:
    """Returns stacked tiles, each transposed."""
    return stacked.reshape(-1, 32, 32).transpose(0, 2, 1).reshape(-1, 32)


def exact(*buffers: int) -> ComputeOptions:
    """Returns the options of a program that copies numbers of 32 bits, unpacked to Dst in full precision."""
    return ComputeOptions(has_wide_dst=True, exact_buffers=sum(1 << buffer for buffer in buffers))


@trial_of("kernel/compute/transpose_wh_metal2.cpp")
def transpose_of_tiles() -> ComputeTrial:
    """Width and height swapped: the reader has put the tiles in the order of columns."""
    values = tiles(6)
    return ComputeTrial(
        inputs={0: Pages(values, capacity=2, name="in")},
        outputs={16: Pages(transposed(values), capacity=2, name="out")},
        named_constants={"NHtWt": 6},
    )


@trial_of("operations/data_movement/permute/device/kernels/compute/transpose_xw_rm_single_tile_size.cpp")
def permute_of_rows() -> ComputeTrial:
    """Blocks of 32 x 32 values, given row by row and transposed."""
    values = tiles(3)
    return ComputeTrial(
        inputs={0: Pages(values, capacity=64, name="cb_in", is_rows=True)},
        outputs={2: Pages(transposed(values), capacity=64, name="cb_out", is_rows=True)},
        room={1: Pages(capacity=2, name="cb_tilize")},
        named_constants={"x_block_size": 32, "w_block_size": 32},
        runtime=(3,),
        runtime_names=("num_blocks",),
    )


@trial_of("operations/data_movement/transpose/device/kernels/compute/transpose_wh_rm.cpp")
def transpose_of_sharded_rows() -> ComputeTrial:
    """Two matrices of 64 x 96, row by row. A page holds as many values as a tile."""
    blocks, height, width = 2, 64, 96
    values = tiles(blocks * height * width // 1024).reshape(blocks, height, width)
    high, wide = height // 32, width // 32
    return ComputeTrial(
        inputs={24: Pages(values.reshape(-1, 1024), "Float32", capacity=2 * wide, is_rows=True)},
        outputs={16: Pages(values.transpose(0, 2, 1).reshape(-1, 1024), "Float32", is_rows=True)},
        room={25: Pages(data_format="Float32", capacity=high * wide)},
        constants=(high, wide, high * wide, blocks, 32, 1, 1, 1, 1),
        defines={"SHARDED": 1},
        options=exact(24, 25),
    )


@trial_of("operations/data_movement/concat/device/kernels/compute/height_sharded_width_concat_two_tensors.cpp")
def concatenation_of_transposed_tiles() -> ComputeTrial:
    """Tiles of both tensors and of the joined one, each transposed: the reader joins them in between."""
    height, width_0, width_1 = 2, 2, 5
    width = width_0 + width_1
    left, right, joined = (tiles(height * columns, seed) for seed, columns in enumerate((width_0, width_1, width), 1))

    def pages(values: numpy.ndarray, name: str, capacity: int | None = None) -> Pages:
        return Pages(values, "Float32", capacity, name)

    return ComputeTrial(
        inputs={0: pages(left, "input0"), 1: pages(right, "input1"), 5: pages(joined, "concat", width)},
        outputs={
            3: pages(transposed(left), "input0_transpose", width_0),
            4: pages(transposed(right), "input1_transpose", width_1),
            6: pages(transposed(joined), "output_transpose", width),
        },
        named_constants={
            "input0_num_tiles_height": height,
            "input0_num_tiles_width": width_0,
            "input1_num_tiles_height": height,
            "input1_num_tiles_width": width_1,
            "tile_size": 4096,
            "groups": 1,
            "max_batch_size": 4,
        },
        options=exact(0, 1, 5),
    )


@trial_of("operations/data_movement/tilize/device/kernels/compute/retile.cpp")
def tiles_of_more_rows() -> ComputeTrial:
    """Tiles of 32 rows from tiles of 16. There are rows for one and a half of them; the kernel adds zeros."""
    width, rows, given = 3, 16, 3
    values = tiles(2 * width).reshape(64, 32 * width)
    values[rows * given :] = 0
    faces = values[: rows * given].reshape(given, rows, 2 * width, 16).transpose(0, 2, 1, 3)
    result = values.reshape(2, 32, width, 32).transpose(0, 2, 1, 3).reshape(-1, 32)
    return ComputeTrial(
        inputs={0: Pages(faces.reshape(-1, 32 * rows), capacity=2 * width, name="src", is_rows=True, tile_rows=rows)},
        outputs={16: Pages(result, capacity=2 * width, name="out")},
        room={
            1: Pages(capacity=4 * width, name="mid", tile_rows=rows, memory="middle"),
            2: Pages(capacity=2 * width, name="mid_view", memory="middle"),
        },
        named_constants={
            "tiles_per_block": width,
            "in_tile_height": rows,
            "out_tile_height": 32,
            "out_tile_size": 2048,
            "mid_page_size": 1024,
        },
        runtime=(4, given, 2),
        runtime_names=("num_input_blocks", "num_real_input_rows", "num_real_output_rows"),
    )
