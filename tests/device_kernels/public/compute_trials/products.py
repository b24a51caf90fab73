"""Trials of kernels around products: matrices, rotary embeddings, a Fourier transform, a recurrence."""

from __future__ import annotations

import numpy
from compute_trial import ComputeTrial, Pages, tiles, trial_of

from nocbench import ComputeOptions


def matrix(rows: int, columns: int, seed: int = 1) -> numpy.ndarray:
    """Returns a matrix of random numbers that bfloat16 can hold; its size in tiles."""
    return tiles(rows * columns, seed).reshape(32 * rows, 32 * columns)


def tiled(values: numpy.ndarray) -> numpy.ndarray:
    """Returns the tiles of a matrix, one row of tiles after the other, stacked."""
    rows, columns = (side // 32 for side in values.shape)
    return values.reshape(rows, 32, columns, 32).transpose(0, 2, 1, 3).reshape(-1, 32)


def stacked(*parts: numpy.ndarray) -> numpy.ndarray:
    """Returns the tiles of several matrices, stacked."""
    return numpy.concatenate([tiled(part) for part in parts])


# --- rotary embeddings


@trial_of("operations/experimental/transformer/rotary_embedding_hf/device/kernels/compute/rotary_embedding_hf.cpp")
def rotary_embedding_of_halves() -> ComputeTrial:
    """The reader gives the halves of each head swapped; the first one's sign is changed."""
    rows, width = 2, 4
    half = width // 2
    values, cosine, sine = (matrix(rows, width, seed) for seed in (1, 2, 3))
    swapped = numpy.roll(values, 32 * half, axis=1)
    signs = numpy.repeat([-1.0, 1.0], 32 * half)
    scalar = numpy.full((32, 32), 7.0)  # the reader sets only the first value
    scalar[0, 0] = -1
    return ComputeTrial(
        inputs={
            4: Pages(scalar),
            **{buffer: Pages(tiled(part)) for buffer, part in enumerate((values, swapped, cosine, sine))},
        },
        outputs={16: Pages(tiled(values * cosine + signs * swapped * sine), capacity=2 * width)},
        room={buffer: Pages(capacity=1) for buffer in (24, 25, 26)},
        constants=(0, 1, 2, 3, 4, 24, 25, 26, 16, rows, width, half),
    )


@trial_of(
    "operations/experimental/transformer/rotary_embedding_llama_fused_qk/device/kernels/compute/"
    "rotary_embedding_llama_sharded.cpp"
)
def rotary_embedding_of_pairs() -> ComputeTrial:
    """Shards in L1: the kernel passes its input to itself. A matrix swaps the values of each pair."""
    rows, width = 2, 4
    values = matrix(rows, width)
    cosine, sine = (matrix(1, width, seed) for seed in (2, 3))  # the first row is that of all heads
    swaps = numpy.kron(numpy.eye(16), [[0, 1], [-1, 0]]).astype("<f4")
    rotated = numpy.stack([-values[:, 1::2], values[:, ::2]], axis=-1).reshape(values.shape)
    return ComputeTrial(
        inputs={},
        outputs={16: Pages(tiled(values * cosine[:1] + rotated * sine[:1]), name="q_out")},
        room={
            0: Pages(tiled(values), name="q_input"),
            1: Pages(capacity=width, name="k_input"),
            17: Pages(capacity=width, name="k_out"),
            2: Pages(tiled(cosine), name="cos"),
            3: Pages(tiled(sine), name="sin"),
            4: Pages(swaps, name="trans_mat"),
            24: Pages(capacity=width, name="rotated_interm"),
            25: Pages(capacity=width, name="cos_interm"),
            26: Pages(capacity=width, name="sin_interm"),
        },
        named_constants={"q_Ht": rows, "k_Ht": 1, "Wt": width},
        runtime=(1,),
        runtime_names=("is_q",),
    )


# --- matrices


def by_senders(values: numpy.ndarray, tiles_of_sender: int) -> list[numpy.ndarray]:
    """Returns the parts of a matrix whose columns are shared out, so many tiles to each core."""
    return numpy.split(values, values.shape[1] // (32 * tiles_of_sender), axis=1)


@trial_of("operations/experimental/matmul_decode/device/kernels/compute/compute_batched_width_sharded.cpp")
def products_of_a_batch() -> ComputeTrial:
    """Two products; A was gathered from two cores, which each have a part of its columns."""
    batches, rows, inner, columns, of_sender = 2, 2, 4, 3, 2
    left = [matrix(rows, inner, seed) for seed in (1, 2)]
    right = [matrix(inner, columns, seed) for seed in (3, 4)]
    gathered = zip(*(by_senders(one, of_sender) for one in left), strict=True)
    return ComputeTrial(
        inputs={3: Pages(stacked(*(part for parts in gathered for part in parts))), 1: Pages(stacked(*right))},
        outputs={2: Pages(stacked(*(a @ b for a, b in zip(left, right, strict=True))))},
        constants=(rows, inner, columns, batches, of_sender),
    )


@trial_of("operations/experimental/matmul_decode/device/kernels/compute/compute_partial_width_sharded.cpp")
def product_in_parts() -> ComputeTrial:
    """A quarter of the inner dimension on this core, which also adds the results of all four."""
    rows, inner, of_block, columns, blocks, of_sender, block = 2, 8, 2, 3, 4, 4, 3
    left, right = matrix(rows, inner), matrix(inner, columns, 2)
    parts = numpy.split(right, blocks)
    partial = [a @ b for a, b in zip(by_senders(left, of_block), parts, strict=True)]
    return ComputeTrial(
        inputs={
            3: Pages(stacked(*by_senders(left, of_sender))),
            1: Pages(tiled(parts[block])),
            5: Pages(stacked(*partial)),
        },
        outputs={4: Pages(tiled(partial[block])), 2: Pages(tiled(left @ right))},
        constants=(rows, inner, of_block, columns, blocks, of_sender),
        runtime=(block, 1),
    )


@trial_of("operations/matmul/device/kernels/compute/bmm_large_block_zm_fused_bias_activation_gathered_metal2.cpp")
def product_in_a_ring() -> ComputeTrial:
    """A's shards come around a ring of four cores, B's blocks lie in a longer ring. The last shard is half padding."""
    ring, place, shard, inner, rest = 4, 1, 2, 7, 2
    side, blocks = 2, 2  # of a block of Dst, in tiles; and their number in a row and in a column
    size = side * blocks
    left, right = matrix(size, ring * shard), matrix(ring * shard, size, 2)
    left[:, 32 * inner :] = 100
    shards, layer = by_senders(left, shard), numpy.split(right, ring)
    of_others = numpy.full((32 * rest * shard, 32 * size), 100.0)
    product = numpy.maximum(left[:, : 32 * inner] @ right[: 32 * inner], 0)
    parts = [part for row in numpy.split(product, blocks) for part in numpy.split(row, blocks, axis=1)]
    of_block = size * shard
    return ComputeTrial(
        inputs={
            0: Pages(tiled(shards[place]), name="in0"),
            2: Pages(stacked(*(shards[(place + step) % ring] for step in range(1, ring))), name="in2"),
            1: Pages(stacked(*layer, of_others, *layer[:place]), capacity=(ring + rest) * of_block, name="in1"),
        },
        outputs={4: Pages(stacked(*parts), name="out")},
        room={5: Pages(data_format="Float32", capacity=size * size, name="intermed0")},
        named_constants={
            "in0_block_w": shard,
            "in0_num_subblocks": blocks,
            "in0_block_num_tiles": of_block,
            "in0_subblock_num_tiles": side * shard,
            "in1_num_subblocks": blocks,
            "in1_block_num_tiles": of_block,
            "in1_block_w": size,
            "num_blocks": ring,
            "out_subblock_h": side,
            "out_subblock_w": side,
            "out_subblock_num_tiles": side * side,
            "out_block_num_tiles": size * size,
            "untilize_out": 0,
            "k_tiles": inner,
            "in1_in_ring_order": 0,
            "rest_of_ring_blocks": rest,
        },
        runtime=(place,),
        runtime_names=("ring_idx",),
        defines={"PACKER_L1_ACC": 1, "FP32_DEST_ACC_EN": 1, "PACK_RELU": 1},
        options=ComputeOptions(has_wide_dst=True),
    )


# --- transforms and recurrences


@trial_of("operations/experimental/fft/device/kernels/compute/batch_fft_compute.cpp")
def fourier_transforms() -> ComputeTrial:
    """Two transforms of 2048 values in 11 stages. The reader puts the values in the order of each stage."""
    batches, size = 2, 2048
    stages = size.bit_length() - 1
    generator = numpy.random.default_rng(1)
    names = ("even", "odd", "twiddle", "out0", "out1")
    pages: dict[str, list[numpy.ndarray]] = {name: [] for name in names}
    for _ in range(batches):
        signal = generator.uniform(-1, 1, size) + 1j * generator.uniform(-1, 1, size)
        order = [int(f"{index:0{stages}b}"[::-1], 2) for index in range(size)]
        state = signal[order]
        for stage in range(stages):
            pairs = state.reshape(-1, 2, 1 << stage)
            even, odd = pairs[:, 0].ravel(), pairs[:, 1].ravel()
            angles = numpy.tile(numpy.arange(1 << stage) / (2 << stage), size >> stage + 1)
            twiddle = numpy.exp(-2j * numpy.pi * angles)
            sums = (even + twiddle * odd, even - twiddle * odd)
            for name, values in zip(names, (even, odd, twiddle, *sums), strict=True):
                pages[name].append(values)
            state = numpy.stack([part.reshape(-1, 1 << stage) for part in sums], 1).ravel()
        assert numpy.allclose(state, numpy.fft.fft(signal))

    def parts(first: int, *chosen: str) -> dict[int, Pages]:
        return {
            first + 2 * index + place: Pages(part(numpy.array(pages[name])), "Float32", None, f"{name}_{suffix}", True)
            for index, name in enumerate(chosen)
            for place, (suffix, part) in enumerate((("r", numpy.real), ("i", numpy.imag)))
        }

    own = ("tmp_r", "tmp_i", "tw_odd_r", "tw_odd_i")
    return ComputeTrial(
        inputs=parts(0, "even", "odd", "twiddle"),
        outputs=parts(6, "out0", "out1"),
        room={10 + place: Pages(data_format="Float32", capacity=1, name=name) for place, name in enumerate(own)},
        named_constants={"log2_sub_n": stages},
        runtime=(batches,),
        runtime_names=("batch_per_core",),
        options=ComputeOptions(has_wide_dst=True, exact_buffers=(1 << 14) - 1),
    )


@trial_of("operations/transformer/chunk_gated_delta_rule/device/kernels/compute/chunk_gdn_scan.cpp")
def gated_delta_rule() -> ComputeTrial:
    """The recurrence of one head over three chunks: each one's output, and the last state."""
    chunks, chunk, keys, values = 3, 2, 2, 3
    state = matrix(keys, values, 1)
    inputs: dict[int, list[numpy.ndarray]] = {buffer: [] for buffer in (18, 14, 13, 19, 20, 24, 22)}
    results = []
    start = state
    for index in range(chunks):
        seed = 10 * index
        decayed_keys, queries = matrix(chunk, keys, seed + 2) / 8, matrix(chunk, keys, seed + 3) / 8
        scaled_values = matrix(chunk, values, seed + 4)
        inverse = numpy.tril(matrix(chunk, chunk, seed + 5)) / 8 + numpy.eye(32 * chunk)
        attention = numpy.tril(matrix(chunk, chunk, seed + 6)) / 8
        updates, decay = matrix(keys, chunk, seed + 7) / 8, 1 - 0.25 * index
        given = (decayed_keys, scaled_values, inverse, queries, attention, updates, decay * numpy.eye(32))
        for its, part in zip(inputs.values(), given, strict=True):
            its.append(part)
        new_values = inverse @ (scaled_values + decayed_keys @ state)
        results.append(queries @ state + attention @ new_values)
        state = decay * state + updates @ new_values

    def wide(stack: numpy.ndarray | None, capacity: int | None = None) -> Pages:
        return Pages(stack, "Float32", capacity)

    return ComputeTrial(
        inputs={
            5: wide(numpy.eye(32)),
            8: wide(tiled(start)),
            **{buffer: wide(stacked(*parts)) for buffer, parts in inputs.items()},
        },
        outputs={16: wide(stacked(*results)), 27: wide(tiled(state))},
        room={
            **{buffer: wide(None, chunk * values) for buffer in (11, 23)},
            **{buffer: wide(None, keys * values) for buffer in (21, 31)},
        },
        constants=(chunk, keys, values),
        runtime=(chunks,),
        options=ComputeOptions(has_wide_dst=True),
    )
