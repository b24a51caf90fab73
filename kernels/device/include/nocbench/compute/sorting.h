// SPDX-License-Identifier: Apache-2.0
// Calls that sort the columns of two tiles of Dst, as sequences of 64 values, and move the values of two further tiles
// with them: the indices of the values.

#pragma once

#include "nocbench/compute/commands.h"
#include "nocbench/compute/vector_functions.h"

namespace ckernel {

enum class TopkTieOrder : uint8_t { Unset, Ascending, Descending };

constexpr TopkTieOrder topk_tie_order_from_global_direction(bool descending) {
    return descending ? TopkTieOrder::Descending : TopkTieOrder::Ascending;
}

}  // namespace ckernel

namespace nocbench::compute {

constexpr uint32_t values_of_column = 64;

enum class Sort : uint32_t { local_sort, merge, rebuild };

/// Gives a command for runs of `length` values that begin `stride` apart. The unit makes `steps` passes over them.
template <Sort sort, bool is_stable, bool is_fused, TopkTieOrder ties>
FORCE_INLINE void sort_runs(uint32_t dst, bool ascending, uint32_t length, uint32_t stride, uint32_t count,
                            uint32_t steps) {
    static_assert(!is_stable || ties != TopkTieOrder::Unset, "topk: expected an order of equal values");
    if constexpr (is_math) {
        constexpr uint32_t indices = is_fused ? 0 : 2;
        command<Operation::sort>(
            (ascending ? is_ascending : 0) | (is_fused ? has_no_indices : 0) |
                (is_stable ? static_cast<uint32_t>(ties) : 0) << ties_shift | static_cast<uint32_t>(sort) << sort_shift,
            dst, dst + 1, dst + indices, dst + indices + 1, length | stride << 8 | count << 16, steps);
    }
}

constexpr uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

}  // namespace nocbench::compute

namespace ckernel {

NOCBENCH_INIT(topk_tile_init, topk)

/// Sorts runs of 2^(end_phase + 1) values, in turns in one direction and in the other one.
template <bool stable_sort = false, bool wide_dst = false, bool fused = false, bool rank_stamped = false,
          TopkTieOrder tie_order = TopkTieOrder::Unset>
FORCE_INLINE void topk_local_sort(uint32_t dst, int ascending, int end_phase) {
    using namespace nocbench::compute;
    const auto phase = static_cast<uint32_t>(end_phase);
    const uint32_t length = 2u << phase;
    sort_runs<Sort::local_sort, stable_sort || rank_stamped, fused, tie_order>(
        dst, ascending != 0, length, length, length < values_of_column ? values_of_column / length : 1,
        (phase + 1) * (phase + 2) / 2);
}

/// Moves the first values of two runs in opposite order to one of them, 2^iteration runs apart.
template <bool ascending = false, bool stable_sort = false, bool wide_dst = false, bool fused = false,
          bool rank_stamped = false, TopkTieOrder tie_order = TopkTieOrder::Unset, uint32_t tag_bits = 16>
FORCE_INLINE void topk_merge(uint32_t dst, int iteration, int k) {
    using namespace nocbench::compute;
    const uint32_t length = smaller(static_cast<uint32_t>(k), 32);
    const uint32_t stride = 2 * smaller(length << iteration, 32);
    sort_runs<Sort::merge, stable_sort || rank_stamped, fused, tie_order>(dst, ascending, length, stride,
                                                                          values_of_column / stride, 1);
}

/// Sorts what topk_merge has left in every other run.
template <bool stable_sort = false, bool wide_dst = false, bool fused = false, bool rank_stamped = false,
          TopkTieOrder tie_order = TopkTieOrder::Unset>
FORCE_INLINE void topk_rebuild(uint32_t dst, bool ascending, int iteration, int k, int log_k, int skip_second) {
    using namespace nocbench::compute;
    const auto length = static_cast<uint32_t>(k);
    const uint32_t stride = length > 32 ? length : smaller(length << (iteration + 1), 32);
    const uint32_t count = values_of_column / stride;
    sort_runs<Sort::rebuild, stable_sort || rank_stamped, fused, tie_order>(
        dst, ascending, length, stride, skip_second != 0 && count > 1 ? count / 2 : count,
        static_cast<uint32_t>(log_k));
}

/// Makes keys of two tiles of bfloat16 and two tiles of indices, by whose order equal values keep theirs.
template <bool largest>
FORCE_INLINE void topk_fuse_tile(uint32_t dst) {
    for (uint32_t tile = 0; tile < 2; ++tile) {
        nocbench::compute::binary<NOCBENCH_FUNCTION_NUMBER(topk_key)>(dst + tile, dst + 2 + tile, dst + tile, largest);
    }
}

/// Makes values and indices of keys.
template <bool largest>
FORCE_INLINE void topk_defuse_tile(uint32_t dst, uint32_t count) {
    using namespace nocbench::compute;
    for (uint32_t tile = dst; tile < dst + count; ++tile) {
        binary<NOCBENCH_FUNCTION_NUMBER(topk_index)>(tile, tile, tile + 2, largest);
        unary<NOCBENCH_FUNCTION_NUMBER(bitwise_and)>(tile, 0xFFFF0000u);
    }
}

// The model compares indices where a card compares ranks that are stamped on values, takes both zeros for equal, and
// has integers of 16 bits where the packer finds them.
NOCBENCH_NO_COMMAND(topk_stamp_local_positions)
NOCBENCH_NO_COMMAND(topk_stamp_tile_rank_range)
NOCBENCH_NO_COMMAND(topk_strip_rank_tags)
NOCBENCH_NO_COMMAND(topk_canonicalize_negzero_values)
NOCBENCH_NO_COMMAND(topk_finalize_uint16_indices)
NOCBENCH_NO_COMMAND(topk_uint16_prepare_value_tile_for_pack)
NOCBENCH_NO_COMMAND(topk_uint16_move_dest_tile_to_pack_half)

}  // namespace ckernel
