// SPDX-License-Identifier: Apache-2.0
// Calls that unpack tiles, compute on them with the matrix unit, and pack them.
//
// Initialisations and changes of data formats take no commands: each call carries the formats of its buffers.

#pragma once

#include "llk_defs.h"
#include "nocbench/circular_buffers.h"
#include "nocbench/compute/commands.h"

namespace ckernel {

enum class DstSync : uint8_t { SyncHalf, SyncFull };
enum class SrcOrder : uint8_t { Regular, Reverse };
enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };
enum class DstRoundingMode : uint8_t { Default, NearestEven };
enum class PackMode : uint8_t { Default, Untilize, Tilize };
enum class BroadcastType : uint8_t { NONE, COL, ROW, SCALAR };
enum class EltwiseBinaryType : uint8_t { ELWMUL, ELWDIV, ELWADD, ELWSUB, ELWLESS };
enum class EltwiseBinaryReuseDestType : uint8_t { NONE, DEST_TO_SRCA, DEST_TO_SRCB };
using enum EltwiseBinaryType;
using ckernel::PoolType;
using ckernel::ReduceDim;

}  // namespace ckernel

namespace nocbench::compute {

using namespace ckernel;

/// State that initialisations leave for later calls.
struct Modes {
    bool transposes_b = false;  // of products
    bool adds_to_dst = false;   // of element-wise calls
    bool adds_to_l1 = false;
    uint32_t relu = 0;
    uint32_t relu_threshold = 0;
};
inline Modes modes;

FORCE_INLINE uint32_t address_of_tile(uint32_t operand, uint32_t tile) {
    const LocalCBInterface& buffer = get_local_cb_interface(operand);
    return buffer.fifo_rd_ptr + tile * buffer.fifo_page_size;
}

constexpr uint32_t format_of(uint32_t operand) { return unpack_src_format[operand]; }

FORCE_INLINE void unpack_one(uint32_t operand, uint32_t tile, uint32_t flags = 0) {
    if constexpr (is_unpack) {
        const bool is_exact = (NOCBENCH_EXACT_BUFFERS >> operand & 1) != 0;
        command<Operation::unpack>(unpack_a | flags | (is_exact ? exact_a : 0), address_of_tile(operand, tile), 0,
                                   format_of(operand));
    }
}

FORCE_INLINE void unpack_other(uint32_t operand, uint32_t tile, uint32_t flags = 0) {
    if constexpr (is_unpack) {
        command<Operation::unpack>(unpack_b | flags, 0, address_of_tile(operand, tile), format_of(operand) << 8);
    }
}

FORCE_INLINE void unpack_both(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t flags = 0) {
    if constexpr (is_unpack) {
        command<Operation::unpack>(unpack_a | unpack_b | flags, address_of_tile(a, tile_a), address_of_tile(b, tile_b),
                                   format_of(a) | format_of(b) << 8);
    }
}

constexpr uint32_t arithmetic_of(EltwiseBinaryType type) { return type == ELWADD ? 0 : type == ELWSUB ? 1 : 2; }

template <EltwiseBinaryType type, BroadcastType broadcast = BroadcastType::NONE>
FORCE_INLINE void combine(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                          uint32_t row_of_b = 0) {
    static_assert(type == ELWADD || type == ELWSUB || type == ELWMUL, "this operation of two tiles is not modeled");
    unpack_both(a, b, tile_a, tile_b);
    if constexpr (is_math) {
        command<Operation::combine>(static_cast<uint32_t>(broadcast) << broadcast_shift |
                                        arithmetic_of(type) << arithmetic_shift | (modes.adds_to_dst ? adds : 0),
                                    dst, row_of_b);
    }
}

FORCE_INLINE void pack_one(uint32_t dst, uint32_t operand, uint32_t address, uint32_t flags = 0, uint32_t stride = 0) {
    command<Operation::pack>(flags | (modes.adds_to_l1 ? adds_to_l1 : 0) | modes.relu << relu_shift, dst, address,
                             format_of(operand), stride, modes.relu_threshold);
}

/// Returns the bytes of the 32 values of a row of a tile, of formats without common exponents.
constexpr uint32_t row_bytes(uint32_t operand) { return ::get_tile_size(operand) / 32; }

}  // namespace nocbench::compute

namespace ckernel {

/// Declares an initialisation that takes no commands.
#define NOCBENCH_NO_COMMAND(name)                  \
    template <auto... options, typename... Values> \
    FORCE_INLINE void name(Values...) {}

NOCBENCH_NO_COMMAND(compute_kernel_hw_startup)
NOCBENCH_NO_COMMAND(unary_op_init_common)
NOCBENCH_NO_COMMAND(unary_op_init_common_no_pack)
NOCBENCH_NO_COMMAND(init_sfpu)
NOCBENCH_NO_COMMAND(reconfig_data_format)
NOCBENCH_NO_COMMAND(reconfig_data_format_srca)
NOCBENCH_NO_COMMAND(reconfig_data_format_srcb)
NOCBENCH_NO_COMMAND(reconfig_full_operand)
NOCBENCH_NO_COMMAND(reconfig_data_format_skip_int8)
NOCBENCH_NO_COMMAND(reconfig_data_format_srca_skip_int8)
NOCBENCH_NO_COMMAND(reconfig_data_format_srcb_skip_int8)
NOCBENCH_NO_COMMAND(reconfig_tile_shape)
NOCBENCH_NO_COMMAND(reconfig_tile_shape_srca)
NOCBENCH_NO_COMMAND(reconfig_tile_shape_srcb)
NOCBENCH_NO_COMMAND(reconfig_full_operand_srca)
NOCBENCH_NO_COMMAND(reconfig_full_operand_srcb)
NOCBENCH_NO_COMMAND(pack_reconfig_data_format)
NOCBENCH_NO_COMMAND(pack_init)
NOCBENCH_NO_COMMAND(pack_set_tile_dims)

// Initialisations below the compute API, which kernels of ttnn make between its calls.
constexpr bool UnpackToDestEn = true;
enum class p_dim_stride_target : uint8_t { IGNORE, FACE_ROW_MAJOR };
NOCBENCH_NO_COMMAND(llk_unpack_reconfig_data_format)
NOCBENCH_NO_COMMAND(llk_unpack_reconfig_data_format_srca)
NOCBENCH_NO_COMMAND(llk_unpack_reconfig_data_format_srcb)
NOCBENCH_NO_COMMAND(llk_math_reconfig_data_format)
NOCBENCH_NO_COMMAND(llk_math_reconfig_data_format_srca)
NOCBENCH_NO_COMMAND(llk_math_reconfig_data_format_srcb)
NOCBENCH_NO_COMMAND(llk_pack_reconfig_data_format)
NOCBENCH_NO_COMMAND(llk_unpack_A_init)
NOCBENCH_NO_COMMAND(llk_unpack_AB_init)
NOCBENCH_NO_COMMAND(llk_unpack_AB_reduce_init)
NOCBENCH_NO_COMMAND(llk_math_reduce_init)
NOCBENCH_NO_COMMAND(llk_math_eltwise_unary_datacopy_init)
NOCBENCH_NO_COMMAND(llk_pack_reduce_mask_config)
NOCBENCH_NO_COMMAND(llk_pack_reduce_mask_clear)

// --- copies

NOCBENCH_NO_COMMAND(copy_tile_to_dst_init_short)
NOCBENCH_NO_COMMAND(copy_tile_to_dst_init_short_with_dt)
NOCBENCH_NO_COMMAND(copy_tile_init)
NOCBENCH_NO_COMMAND(copy_init)

/// Copies a tile of a buffer to Dst.
template <auto... options>
FORCE_INLINE void copy_tile(uint32_t operand, uint32_t tile, uint32_t dst) {
    using namespace nocbench::compute;
    unpack_one(operand, tile);
    if constexpr (is_math) {
        command<Operation::copy>(0, dst);
    }
}

template <auto... options>
FORCE_INLINE void copy_block_matmul_partials(uint32_t operand, uint32_t tile, uint32_t dst, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        copy_tile(operand, tile + i, dst + i);
    }
}
template <auto... options>
FORCE_INLINE void copy_block(uint32_t operand, uint32_t tile, uint32_t dst, uint32_t count) {
    copy_block_matmul_partials(operand, tile, dst, count);
}

// --- packing

/// Packs a tile of Dst into the next page of those reserved, or into the page `tile`.
template <bool out_of_order_output = false>
FORCE_INLINE void pack_tile(uint32_t dst, uint32_t operand, uint32_t tile = 0) {
    using namespace nocbench::compute;
    if constexpr (is_pack) {
        LocalCBInterface& buffer = get_local_cb_interface(operand);
        if constexpr (out_of_order_output) {
            pack_one(dst, operand, buffer.fifo_wr_ptr + tile * buffer.fifo_page_size);
        } else {
            pack_one(dst, operand, buffer.fifo_wr_ptr + buffer.fifo_wr_tile_ptr);
            buffer.fifo_wr_tile_ptr += buffer.fifo_page_size;
        }
    }
}

template <auto... options>
FORCE_INLINE void pack_tile_block(uint32_t dst, uint32_t operand, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        pack_tile(dst + i, operand);
    }
}
template <auto... options>
FORCE_INLINE void matmul_pack_tile(uint32_t dst, uint32_t operand, uint32_t count) {
    pack_tile_block(dst, operand, count);
}
template <bool out_of_order_output = false>
FORCE_INLINE void pack_block(uint32_t dst, uint32_t operand, uint32_t count) {
    pack_tile_block(dst, operand, count);
}

/// Makes later packs add to what is in L1, or stops it.
FORCE_INLINE void pack_reconfig_l1_acc(uint32_t is_on) { nocbench::compute::modes.adds_to_l1 = is_on != 0; }

struct ReluConfig {
    uint32_t mode = 0;
    float threshold = 0;
    static constexpr ReluConfig none() { return {}; }
    static constexpr ReluConfig zero() { return {1, 0}; }
    static constexpr ReluConfig min_threshold(float value) { return {2, value}; }
    static constexpr ReluConfig max_threshold(float value) { return {3, value}; }
};

/// Makes later packs cut values off.
FORCE_INLINE void pack_relu_config(const ReluConfig& config) {
    nocbench::compute::modes.relu = config.mode;
    nocbench::compute::modes.relu_threshold = __builtin_bit_cast(uint32_t, config.threshold);
}
FORCE_INLINE void pack_relu_config(uint32_t config) {
    // Mode in the lower half, the upper half of a threshold above.
    nocbench::compute::modes.relu = config & 3;
    nocbench::compute::modes.relu_threshold = config & 0xFFFF0000;
}

// --- element by element

NOCBENCH_NO_COMMAND(binary_dest_reuse_tiles_init)

/// Computes with the tile of Dst in place of one of the operands.
template <EltwiseBinaryType type = ELWADD, EltwiseBinaryReuseDestType reuse = EltwiseBinaryReuseDestType::NONE,
          auto... options>
FORCE_INLINE void binary_dest_reuse_tiles(uint32_t operand, uint32_t tile, uint32_t dst) {
    using namespace nocbench::compute;
    constexpr bool dst_is_a = reuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA;
    if constexpr (dst_is_a) {
        unpack_other(operand, tile);
    } else {
        unpack_one(operand, tile);
    }
    if constexpr (is_math) {
        command<Operation::combine>(arithmetic_of(type) << arithmetic_shift | (dst_is_a ? dst_as_a : dst_as_b), dst);
    }
}

#define NOCBENCH_ELEMENTWISE(name, type)                                                                         \
    template <auto... options>                                                                                   \
    FORCE_INLINE void name##_init(uint32_t = 0, uint32_t = 0, bool adds_to_dst = false, uint32_t = 0) {          \
        nocbench::compute::modes.adds_to_dst = adds_to_dst;                                                      \
    }                                                                                                            \
    template <auto... options>                                                                                   \
    FORCE_INLINE void name##_tiles_init(uint32_t = 0, uint32_t = 0, bool adds_to_dst = false) {                  \
        nocbench::compute::modes.adds_to_dst = adds_to_dst;                                                      \
    }                                                                                                            \
    FORCE_INLINE void name##_tiles_init_f() { nocbench::compute::modes.adds_to_dst = false; }                    \
    template <auto... options>                                                                                   \
    FORCE_INLINE void name##_tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {     \
        nocbench::compute::combine<type>(a, b, tile_a, tile_b, dst);                                             \
    }                                                                                                            \
    template <auto... options>                                                                                   \
    FORCE_INLINE void name##_block(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,       \
                                   uint32_t count) {                                                             \
        for (uint32_t i = 0; i < count; ++i) {                                                                   \
            nocbench::compute::combine<type>(a, b, tile_a + i, tile_b + i, dst + i);                             \
        }                                                                                                        \
    }                                                                                                            \
    NOCBENCH_BROADCAST(name, type, rows, ROW)                                                                    \
    NOCBENCH_BROADCAST(name, type, cols, COL)                                                                    \
    NOCBENCH_BROADCAST(name, type, scalar, SCALAR)                                                               \
    template <BroadcastType broadcast, auto... options>                                                          \
    FORCE_INLINE void name##_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst, \
                                         uint32_t row = 0) {                                                     \
        nocbench::compute::combine<type, broadcast>(a, b, tile_a, tile_b, dst, row);                             \
    }                                                                                                            \
    NOCBENCH_NO_COMMAND(name##_reuse_dest_init)                                                                  \
    template <EltwiseBinaryReuseDestType reuse, auto... options>                                                 \
    FORCE_INLINE void name##_reuse_dest_tiles(uint32_t operand, uint32_t tile, uint32_t dst) {                   \
        binary_dest_reuse_tiles<type, reuse>(operand, tile, dst);                                                \
    }

#define NOCBENCH_BROADCAST(name, type, part, kind)                                                        \
    NOCBENCH_BROADCAST_INIT(name##_bcast_##part##_init)                                                   \
    NOCBENCH_BROADCAST_INIT(name##_bcast_##part##_init_short)                                             \
    NOCBENCH_BROADCAST_INIT(name##_tiles_bcast_##part##_init_short)                                       \
    template <auto... options>                                                                            \
    FORCE_INLINE void name##_tiles_bcast_##part(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, \
                                                uint32_t dst, uint32_t row = 0) {                         \
        nocbench::compute::combine<type, BroadcastType::kind>(a, b, tile_a, tile_b, dst, row);            \
    }

#define NOCBENCH_BROADCAST_INIT(call)                 \
    template <auto... options, typename... Values>    \
    FORCE_INLINE void call(Values...) {               \
        nocbench::compute::modes.adds_to_dst = false; \
    }

NOCBENCH_ELEMENTWISE(add, ELWADD)
NOCBENCH_ELEMENTWISE(sub, ELWSUB)
NOCBENCH_ELEMENTWISE(mul, ELWMUL)

template <auto... options, typename... Values>
FORCE_INLINE void binary_op_init_common(Values...) {
    nocbench::compute::modes.adds_to_dst = false;
}
template <bool full_init = true, EltwiseBinaryType type = ELWADD>
FORCE_INLINE void binary_tiles_init(uint32_t, uint32_t, bool adds_to_dst = false) {
    nocbench::compute::modes.adds_to_dst = adds_to_dst;
}
template <auto... options>
FORCE_INLINE void llk_math_eltwise_binary_init(uint32_t, uint32_t, bool adds_to_dst = false) {
    nocbench::compute::modes.adds_to_dst = adds_to_dst;
}
NOCBENCH_NO_COMMAND(bcast_init)
template <auto... options, typename... Values>
FORCE_INLINE void init_bcast(Values...) {
    nocbench::compute::modes.adds_to_dst = false;
}
template <EltwiseBinaryType type, BroadcastType broadcast, auto... options>
FORCE_INLINE void any_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
    nocbench::compute::combine<type, broadcast>(a, b, tile_a, tile_b, dst);
}

NOCBENCH_NO_COMMAND(unary_bcast_init)
NOCBENCH_NO_COMMAND(unary_bcast_uninit)

/// Fills a tile of Dst with the first row, column or value of a tile.
template <BroadcastType broadcast, auto... options>
FORCE_INLINE void unary_bcast(uint32_t operand, uint32_t tile, uint32_t dst) {
    using namespace nocbench::compute;
    unpack_other(operand, tile);
    if constexpr (is_math) {
        command<Operation::copy>(from_b | static_cast<uint32_t>(broadcast) << broadcast_shift, dst);
    }
}

// --- products of matrices

template <auto... options>
FORCE_INLINE void mm_init(uint32_t = 0, uint32_t = 1, uint32_t = 16, uint32_t transpose = 0) {
    nocbench::compute::modes.transposes_b = transpose != 0;
}
template <auto... options>
FORCE_INLINE void mm_init_short(uint32_t = 0, uint32_t = 1, uint32_t transpose = 0) {
    nocbench::compute::modes.transposes_b = transpose != 0;
}
template <auto... options>
FORCE_INLINE void matmul_init(uint32_t = 0, uint32_t = 1, uint32_t transpose = 0, uint32_t = 0) {
    nocbench::compute::modes.transposes_b = transpose != 0;
}
template <auto... options>
FORCE_INLINE void mm_init_short_with_dt(uint32_t = 0, uint32_t = 1, uint32_t = 2, uint32_t transpose = 0) {
    nocbench::compute::modes.transposes_b = transpose != 0;
}
template <auto... options>
FORCE_INLINE void mm_block_init(uint32_t = 0, uint32_t = 1, uint32_t = 16, uint32_t transpose = 0, uint32_t = 1,
                                uint32_t = 1, uint32_t = 1) {
    nocbench::compute::modes.transposes_b = transpose != 0;
}
template <auto... options>
FORCE_INLINE void mm_block_init_short(uint32_t = 0, uint32_t = 1, uint32_t transpose = 0, uint32_t = 1, uint32_t = 1,
                                      uint32_t = 1) {
    nocbench::compute::modes.transposes_b = transpose != 0;
}
template <auto... options>
FORCE_INLINE void matmul_block_init(uint32_t = 0, uint32_t = 1, uint32_t transpose = 0, uint32_t = 1, uint32_t = 1,
                                    uint32_t = 1) {
    nocbench::compute::modes.transposes_b = transpose != 0;
}
template <auto... options>
FORCE_INLINE void mm_block_init_short_with_dt(uint32_t = 0, uint32_t = 1, uint32_t = 0, uint32_t transpose = 0,
                                              uint32_t = 1, uint32_t = 1, uint32_t = 1) {
    nocbench::compute::modes.transposes_b = transpose != 0;
}
template <auto... options>
FORCE_INLINE void mm_block_init_short_with_both_dt(uint32_t = 0, uint32_t = 1, uint32_t = 0, uint32_t = 0,
                                                   uint32_t transpose = 0, uint32_t = 1, uint32_t = 1, uint32_t = 1) {
    nocbench::compute::modes.transposes_b = transpose != 0;
}

/// Adds the product of two tiles to a tile of Dst.
template <auto... options>
FORCE_INLINE void matmul_tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
    using namespace nocbench::compute;
    unpack_both(a, b, tile_a, tile_b, modes.transposes_b ? transpose_b : 0);
    if constexpr (is_math) {
        command<Operation::multiply_matrices>(0, dst);
    }
}
template <auto... options>
FORCE_INLINE void matmul_tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                               uint32_t transpose) {
    nocbench::compute::modes.transposes_b = transpose != 0;
    matmul_tiles(a, b, tile_a, tile_b, dst);
}

/// Adds the products of `rows` tiles of A, `inner` apart, with `columns` tiles of B.
template <auto... options>
FORCE_INLINE void matmul_block(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                               uint32_t transpose, uint32_t columns, uint32_t rows, uint32_t inner) {
    using namespace nocbench::compute;
    const uint32_t turned = transpose != 0 ? transpose_b : 0;
    for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t column = 0; column < columns; ++column) {
            if constexpr (is_unpack) {
                // A stays in its register for a row.
                if (column == 0) {
                    unpack_both(a, b, tile_a + row * inner, tile_b, turned);
                } else {
                    unpack_other(b, tile_b + column, keep_a | turned);
                }
            }
            if constexpr (is_math) {
                command<Operation::multiply_matrices>(row + column == 0 ? 0 : continues, dst + row * columns + column);
            }
        }
    }
}

// --- reductions

NOCBENCH_NO_COMMAND(reduce_init)
NOCBENCH_NO_COMMAND(reduce_init_delta)
NOCBENCH_NO_COMMAND(reduce_init_short)
NOCBENCH_NO_COMMAND(reduce_uninit)
NOCBENCH_NO_COMMAND(reduce_revert_delta)

#ifndef REDUCE_OP
#define NOCBENCH_REDUCE_OP PoolType::SUM
#else
#define NOCBENCH_REDUCE_OP REDUCE_OP
#endif
#ifndef REDUCE_DIM
#define NOCBENCH_REDUCE_DIM ReduceDim::REDUCE_ROW
#else
#define NOCBENCH_REDUCE_DIM REDUCE_DIM
#endif

/// Joins the values of a tile, times the first value of a tile of `scaler`, with a tile of Dst.
template <PoolType type = NOCBENCH_REDUCE_OP, ReduceDim dimension = NOCBENCH_REDUCE_DIM, auto... options>
FORCE_INLINE void reduce_tile(uint32_t operand, uint32_t scaler, uint32_t tile, uint32_t scaler_tile, uint32_t dst) {
    using namespace nocbench::compute;
    unpack_both(operand, scaler, tile, scaler_tile);
    if constexpr (is_math) {
        command<Operation::reduce>(
            static_cast<uint32_t>(type) << pooling_shift | static_cast<uint32_t>(dimension) << dimension_shift, dst);
    }
}

/// Joins `count` tiles with as many tiles of Dst.
template <PoolType type = NOCBENCH_REDUCE_OP, ReduceDim dimension = NOCBENCH_REDUCE_DIM, auto... options>
FORCE_INLINE void reduce_block(uint32_t operand, uint32_t scaler, uint32_t tile, uint32_t scaler_tile, uint32_t dst,
                               uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        reduce_tile<type, dimension>(operand, scaler, tile + i, scaler_tile, dst + i);
    }
}

// Maxima of the rows of several tiles.
NOCBENCH_NO_COMMAND(reduce_block_max_row_init)
NOCBENCH_NO_COMMAND(reduce_block_max_row_init_runtime)
NOCBENCH_NO_COMMAND(reduce_block_max_row_reinit_short)
NOCBENCH_NO_COMMAND(reduce_block_max_row_reinit_minimal)
NOCBENCH_NO_COMMAND(reduce_block_max_row_uninit)
NOCBENCH_NO_COMMAND(reduce_block_max_row_uninit_runtime)
template <uint32_t columns, auto... options>
FORCE_INLINE void reduce_block_max_row(uint32_t operand, uint32_t scaler, uint32_t tile, uint32_t dst) {
    for (uint32_t i = 0; i < columns; ++i) {
        reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(operand, scaler, tile + i, 0, dst);
    }
}

// --- other arrangements

NOCBENCH_NO_COMMAND(transpose_wh_init)
NOCBENCH_NO_COMMAND(transpose_wh_init_short)
NOCBENCH_NO_COMMAND(transpose_init)

/// Copies a tile to Dst, with rows as columns.
template <auto... options>
FORCE_INLINE void transpose_wh_tile(uint32_t operand, uint32_t tile, uint32_t dst) {
    using namespace nocbench::compute;
    unpack_one(operand, tile, transpose_a);
    if constexpr (is_math) {
        command<Operation::copy>(0, dst);
    }
}
template <auto... options>
FORCE_INLINE void transpose_tile(uint32_t operand, uint32_t tile, uint32_t dst) {
    transpose_wh_tile(operand, tile, dst);
}

template <auto... options>
FORCE_INLINE void transpose_block(uint32_t operand, uint32_t tile, uint32_t dst, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        transpose_tile(operand, tile + i, dst + i);
    }
}

NOCBENCH_NO_COMMAND(transpose_wh_dest_init_short)
NOCBENCH_NO_COMMAND(transpose_dest_init)
template <auto... options>
FORCE_INLINE void transpose_wh_dest(uint32_t dst) {
    using namespace nocbench::compute;
    if constexpr (is_math) {
        command<Operation::transpose>(0, dst);
    }
}
template <auto... options>
FORCE_INLINE void transpose_dest(uint32_t dst) {
    transpose_wh_dest(dst);
}

NOCBENCH_NO_COMMAND(tilize_init)
NOCBENCH_NO_COMMAND(tilize_init_short)
NOCBENCH_NO_COMMAND(tilize_init_short_with_dt)
NOCBENCH_NO_COMMAND(tilize_uninit)
NOCBENCH_NO_COMMAND(tilize_uninit_with_dt)
NOCBENCH_NO_COMMAND(fast_tilize_init)
NOCBENCH_NO_COMMAND(fast_tilize_init_with_dt)
NOCBENCH_NO_COMMAND(fast_tilize_init_skip_remap)
NOCBENCH_NO_COMMAND(fast_tilize_init_with_dt_skip_remap)
NOCBENCH_NO_COMMAND(fast_tilize_uninit)
NOCBENCH_NO_COMMAND(untilize_init)
NOCBENCH_NO_COMMAND(untilize_init_short)
NOCBENCH_NO_COMMAND(untilize_uninit)
NOCBENCH_NO_COMMAND(pack_untilize_uninit)

/// Makes tiles of 32 rows of a matrix that is `count` tiles wide.
template <auto... options>
FORCE_INLINE void tilize_block(uint32_t operand, uint32_t count, uint32_t output, uint32_t = 0, uint32_t = 0) {
    using namespace nocbench::compute;
    for (uint32_t tile = 0; tile < count; ++tile) {
        if constexpr (is_unpack) {
            command<Operation::unpack>(unpack_a | tilize_a, address_of_tile(operand, 0) + tile * row_bytes(operand), 0,
                                       format_of(operand), count);
        }
        if constexpr (is_math) {
            command<Operation::acquire>();
            command<Operation::copy>(0, 0);
            command<Operation::commit>();
        }
        if constexpr (is_pack) {
            command<Operation::wait>();
            pack_tile(0, output);
            command<Operation::release>();
        }
    }
}
template <auto... options>
FORCE_INLINE void fast_tilize_block(uint32_t operand, uint32_t count, uint32_t output, uint32_t = 0, uint32_t = 0) {
    tilize_block(operand, count, output);
}

template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, auto... options>
FORCE_INLINE void pack_untilize_dest_init(uint32_t, uint32_t = 16, uint32_t = 4) {}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, auto... options>
FORCE_INLINE void pack_untilize_init(uint32_t, uint32_t = 0, uint32_t = 16, uint32_t = 4) {}

/// Packs tiles of Dst as rows of a matrix that is `full_ct_dim` tiles wide.
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, auto... options>
FORCE_INLINE void pack_untilize_dest(uint32_t output, uint32_t rows = 1, uint32_t block = 0, uint32_t = 16,
                                     uint32_t = 4) {
    using namespace nocbench::compute;
    if constexpr (is_pack) {
        const uint32_t begin = get_local_cb_interface(output).fifo_wr_ptr;
        for (uint32_t row = 0; row < rows; ++row) {
            for (uint32_t column = 0; column < block_ct_dim; ++column) {
                const uint32_t place = row * full_ct_dim * 32 + block * block_ct_dim + column;
                pack_one(row * block_ct_dim + column, output, begin + place * row_bytes(output), untilize, full_ct_dim);
            }
        }
    }
}

/// Copies tiles, and packs them as rows of a matrix.
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, auto... options>
FORCE_INLINE void pack_untilize_block(uint32_t operand, uint32_t rows, uint32_t output, uint32_t block = 0) {
    using namespace nocbench::compute;
    for (uint32_t row = 0; row < rows; ++row) {
        if constexpr (is_math) {
            command<Operation::acquire>();
        }
        for (uint32_t column = 0; column < block_ct_dim; ++column) {
            copy_tile(operand, row * block_ct_dim + column, column);
        }
        if constexpr (is_math) {
            command<Operation::commit>();
        }
        if constexpr (is_pack) {
            command<Operation::wait>();
            const uint32_t begin = get_local_cb_interface(output).fifo_wr_ptr;
            for (uint32_t column = 0; column < block_ct_dim; ++column) {
                const uint32_t place = row * full_ct_dim * 32 + block * block_ct_dim + column;
                pack_one(column, output, begin + place * row_bytes(output), untilize, full_ct_dim);
            }
            command<Operation::release>();
        }
    }
}

/// Makes 32 rows of a matrix of `count` tiles.
template <uint32_t size = 1>
FORCE_INLINE void untilize_block(uint32_t operand, uint32_t count, uint32_t output) {
    using namespace nocbench::compute;
    for (uint32_t tile = 0; tile < count; ++tile) {
        if constexpr (is_math) {
            command<Operation::acquire>();
        }
        copy_tile(operand, tile, 0);
        if constexpr (is_math) {
            command<Operation::commit>();
        }
        if constexpr (is_pack) {
            command<Operation::wait>();
            pack_one(0, output, get_local_cb_interface(output).fifo_wr_ptr + tile * row_bytes(output), untilize, count);
            command<Operation::release>();
        }
    }
}

}  // namespace ckernel
