// SPDX-License-Identifier: Apache-2.0
// Calls that unpack tiles, compute on them with the matrix unit, and pack them.
//
// Each call carries the formats of its buffers. Initialisations and changes of data formats are told to the model,
// which finds calls that lack theirs.

#pragma once

#include <type_traits>

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
    uint32_t columns_of_block = 0;  // of reductions
};
inline Modes modes;

/// True for a template argument by which A is unpacked to source register B.
template <typename Option>
constexpr bool reverses(Option option) {
    if constexpr (std::is_same_v<Option, SrcOrder>) {
        return option == SrcOrder::Reverse;
    } else {
        return false;
    }
}

/// Bytes with the formats of tiles, by buffer: one load for operands that are known only at run time.
struct TileFormats {
    uint8_t bytes[NUM_CIRCULAR_BUFFERS] = {};

    constexpr TileFormats() {
        for (uint32_t operand = 0; operand < NUM_CIRCULAR_BUFFERS; ++operand) {
            bytes[operand] = unpack_src_format[operand];
            for (uint32_t rows = unpack_tile_r_dim[operand]; rows != 0 && rows < 32; rows *= 2) {
                bytes[operand] += 1 << halved_rows_shift;
            }
        }
    }
};
constexpr TileFormats tile_formats;

constexpr uint32_t format_of(uint32_t operand) { return tile_formats.bytes[operand]; }

constexpr uint32_t buffer_and_format(uint32_t operand) { return format_of(operand) | operand << 16; }

/// Kind of call that computes: its operation and flags.
struct Call {
    Operation operation;
    uint32_t flags = 0;
    constexpr uint32_t word() const { return static_cast<uint32_t>(operation) | flags << 8; }
};

template <Call call>
FORCE_INLINE void unpack_one(uint32_t operand, uint32_t tile, uint32_t flags = 0) {
    if constexpr (is_unpack) {
        const bool is_exact = (NOCBENCH_EXACT_BUFFERS >> operand & 1) != 0;
        command<Operation::unpack>(unpack_a | flags | (is_exact ? exact_a : 0), address_of_tile(operand, tile), 0,
                                   buffer_and_format(operand), 0, call.word());
    }
}

template <Call call>
FORCE_INLINE void unpack_other(uint32_t operand, uint32_t tile, uint32_t flags = 0) {
    if constexpr (is_unpack) {
        command<Operation::unpack>(unpack_b | flags, 0, address_of_tile(operand, tile), buffer_and_format(operand) << 8,
                                   0, call.word());
    }
}

template <Call call>
FORCE_INLINE void unpack_both(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t flags = 0) {
    if constexpr (is_unpack) {
        command<Operation::unpack>(unpack_a | unpack_b | flags, address_of_tile(a, tile_a), address_of_tile(b, tile_b),
                                   buffer_and_format(a) | buffer_and_format(b) << 8, 0, call.word());
    }
}

/// Tells the model which calls the units are set up for.
template <Call call, bool by_pack = false>
FORCE_INLINE void prepare(uint32_t function = 0) {
    if constexpr (by_pack ? is_pack : is_math) {
        command<Operation::prepare>(0, call.word(), function);
    }
}
constexpr Call any_call = {Operation::any};

/// Tells the model that the kernel calls what is below the compute API, which may set up anything.
FORCE_INLINE void go_below() { command<Operation::prepare>(below); }

// Tell the model the formats of the unpackers and the packers.
FORCE_INLINE void set_formats(uint32_t a, uint32_t b) {
    if constexpr (is_unpack) {
        command<Operation::set_formats>(unpack_a | unpack_b, format_of(a) | format_of(b) << 8);
    }
}
FORCE_INLINE void set_format_a(uint32_t operand) {
    if constexpr (is_unpack) {
        command<Operation::set_formats>(unpack_a, format_of(operand));
    }
}
FORCE_INLINE void set_format_b(uint32_t operand) {
    if constexpr (is_unpack) {
        command<Operation::set_formats>(unpack_b, format_of(operand) << 8);
    }
}
FORCE_INLINE void set_packed_format(uint32_t operand, uint32_t flags = 0) {
    if constexpr (is_pack) {
        command<Operation::set_formats>(flags, format_of(operand));
    }
}
FORCE_INLINE void start(uint32_t a, uint32_t b, uint32_t output) {
    set_formats(a, b);
    set_packed_format(output, packs_tiles);
}

constexpr uint32_t arithmetic_of(EltwiseBinaryType type) { return type == ELWADD ? 0 : type == ELWSUB ? 1 : 2; }

template <EltwiseBinaryType type, BroadcastType broadcast = BroadcastType::NONE>
constexpr Call combination = {
    Operation::combine, static_cast<uint32_t>(broadcast) << broadcast_shift | arithmetic_of(type) << arithmetic_shift};
template <BroadcastType broadcast>
constexpr Call copy_of_part = {Operation::copy, from_b | static_cast<uint32_t>(broadcast) << broadcast_shift};
template <EltwiseBinaryType type, EltwiseBinaryReuseDestType reuse>
constexpr Call reuse_of_dst = {Operation::combine,
                               arithmetic_of(type) << arithmetic_shift |
                                   (reuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA ? dst_as_a : dst_as_b)};
constexpr Call copy = {Operation::copy};
constexpr Call product = {Operation::multiply_matrices};
constexpr Call product_of_blocks = {Operation::multiply_matrices, of_block};
constexpr Call reduction = {Operation::reduce};
constexpr Call transposition = {Operation::copy, transposes};
constexpr Call transposition_of_dst = {Operation::transpose};
constexpr Call tilization = {Operation::copy, tilizes};
constexpr Call untilization = {Operation::copy, untilizes};

template <EltwiseBinaryType type, BroadcastType broadcast = BroadcastType::NONE>
FORCE_INLINE void combine(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                          uint32_t row_of_b = 0) {
    static_assert(type == ELWADD || type == ELWSUB || type == ELWMUL, "this operation of two tiles is not modeled");
    constexpr Call call = combination<type, broadcast>;
    unpack_both<call>(a, b, tile_a, tile_b);
    if constexpr (is_math) {
        command<Operation::combine>(call.flags | (modes.adds_to_dst ? adds : 0), dst, row_of_b);
    }
}

template <EltwiseBinaryType type, BroadcastType broadcast = BroadcastType::NONE>
FORCE_INLINE void prepare_combination(bool adds_to_dst = false) {
    modes.adds_to_dst = adds_to_dst;
    prepare<combination<type, broadcast>>();
}

template <Call call>
FORCE_INLINE void prepare_product(uint32_t transpose) {
    modes.transposes_b = transpose != 0;
    prepare<call>();
}

FORCE_INLINE void pack_one(uint32_t dst, uint32_t operand, uint32_t address, uint32_t flags = 0, uint32_t stride = 0) {
    command<Operation::pack>(flags | (modes.adds_to_l1 ? adds_to_l1 : 0) | modes.relu << relu_shift, dst, address,
                             format_of(operand) | operand << 8, stride, modes.relu_threshold);
}

/// Returns the size of the 32 values of a row of a tile, of formats without common exponents, as addresses count.
constexpr uint32_t row_size(uint32_t operand) {
    return ::get_tile_size(operand) / ::get_tile_r_dim(operand) >> cb_addr_shift;
}

template <Call call>
FORCE_INLINE void copy_one(uint32_t operand, uint32_t tile, uint32_t dst, uint32_t flags = 0) {
    unpack_one<call>(operand, tile, flags);
    if constexpr (is_math) {
        command<Operation::copy>(call.flags, dst);
    }
}

template <uint32_t block_ct_dim, uint32_t full_ct_dim>
FORCE_INLINE void prepare_rows(uint32_t output) {
    static_assert(block_ct_dim <= tiles_of_dst, "pack_untilize: expected no more tiles in a block than Dst holds");
    static_assert(full_ct_dim % block_ct_dim == 0, "pack_untilize: expected a row of whole blocks");
    set_packed_format(output, packs_rows);
}

}  // namespace nocbench::compute

namespace ckernel {

/// Declares an initialisation that takes no commands.
#define NOCBENCH_NO_COMMAND(name)                  \
    template <auto... options, typename... Values> \
    FORCE_INLINE void name(Values...) {}

// Initialisations that some releases let set formats are taken to set them.

template <SrcOrder order = SrcOrder::Regular>
FORCE_INLINE void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t output) {
    constexpr bool is_reversed = order == SrcOrder::Reverse;
    nocbench::compute::start(is_reversed ? b : a, is_reversed ? a : b, output);
}
template <SrcOrder order = SrcOrder::Regular>
FORCE_INLINE void compute_kernel_hw_startup(uint32_t operand, uint32_t output) {
    compute_kernel_hw_startup(operand, operand, output);
}
FORCE_INLINE void unary_op_init_common(uint32_t operand, uint32_t output = 16) {
    compute_kernel_hw_startup(operand, output);
    nocbench::compute::prepare<nocbench::compute::copy>();
}
FORCE_INLINE void unary_op_init_common_no_pack(uint32_t operand) {
    nocbench::compute::set_formats(operand, operand);
    nocbench::compute::prepare<nocbench::compute::copy>();
}
FORCE_INLINE void init_sfpu(uint32_t operand, uint32_t output = 16) { unary_op_init_common(operand, output); }

template <auto... options>
FORCE_INLINE void reconfig_data_format(uint32_t a, uint32_t b) {
    constexpr bool is_reversed = (nocbench::compute::reverses(options) || ...);
    nocbench::compute::set_formats(is_reversed ? b : a, is_reversed ? a : b);
}
template <auto... options>
FORCE_INLINE void reconfig_data_format(uint32_t, uint32_t a, uint32_t, uint32_t b) {
    reconfig_data_format<options...>(a, b);
}
template <auto... options>
FORCE_INLINE void reconfig_data_format_srca(uint32_t operand) {
    nocbench::compute::set_format_a(operand);
}
template <auto... options>
FORCE_INLINE void reconfig_data_format_srca(uint32_t, uint32_t operand) {
    nocbench::compute::set_format_a(operand);
}
template <auto... options>
FORCE_INLINE void reconfig_data_format_srcb(uint32_t operand) {
    nocbench::compute::set_format_b(operand);
}
template <auto... options>
FORCE_INLINE void reconfig_data_format_srcb(uint32_t, uint32_t operand) {
    nocbench::compute::set_format_b(operand);
}
template <auto... options>
FORCE_INLINE void reconfig_full_operand(uint32_t operand) {
    nocbench::compute::set_formats(operand, operand);
}
template <auto... options>
FORCE_INLINE void pack_reconfig_data_format(uint32_t operand) {
    nocbench::compute::set_packed_format(operand);
}
template <auto... options>
FORCE_INLINE void pack_reconfig_data_format(uint32_t, uint32_t operand) {
    nocbench::compute::set_packed_format(operand);
}
template <auto... options>
FORCE_INLINE void pack_init(uint32_t operand) {
    nocbench::compute::set_packed_format(operand, nocbench::compute::packs_tiles);
}
template <auto... options>
FORCE_INLINE void reconfig_full_operand_srca(uint32_t operand) {
    nocbench::compute::set_format_a(operand);
}
template <auto... options>
FORCE_INLINE void reconfig_full_operand_srcb(uint32_t operand) {
    nocbench::compute::set_format_b(operand);
}
template <auto... options, typename... Operands>
FORCE_INLINE void reconfig_data_format_skip_int8(Operands... operands) {
    reconfig_data_format<options...>(operands...);
}
template <auto... options, typename... Operands>
FORCE_INLINE void reconfig_data_format_srca_skip_int8(Operands... operands) {
    reconfig_data_format_srca(operands...);
}
template <auto... options, typename... Operands>
FORCE_INLINE void reconfig_data_format_srcb_skip_int8(Operands... operands) {
    reconfig_data_format_srcb(operands...);
}
NOCBENCH_NO_COMMAND(reconfig_tile_shape)
NOCBENCH_NO_COMMAND(reconfig_tile_shape_srca)
NOCBENCH_NO_COMMAND(reconfig_tile_shape_srcb)
NOCBENCH_NO_COMMAND(pack_set_tile_dims)
NOCBENCH_NO_COMMAND(dummy_unpack)
NOCBENCH_NO_COMMAND(dummy_pack)

/// Declares an initialisation below the compute API.
#define NOCBENCH_BELOW(name)                       \
    template <auto... options, typename... Values> \
    FORCE_INLINE void name(Values...) {            \
        nocbench::compute::go_below();             \
    }

// Initialisations below the compute API, which kernels of ttnn make between its calls.
constexpr bool UnpackToDestEn = true;
enum class p_dim_stride_target : uint8_t { IGNORE, FACE_ROW_MAJOR };
NOCBENCH_BELOW(llk_unpack_reconfig_data_format)
NOCBENCH_BELOW(llk_unpack_reconfig_data_format_srca)
NOCBENCH_BELOW(llk_unpack_reconfig_data_format_srcb)
NOCBENCH_BELOW(llk_math_reconfig_data_format)
NOCBENCH_BELOW(llk_math_reconfig_data_format_srca)
NOCBENCH_BELOW(llk_math_reconfig_data_format_srcb)
NOCBENCH_BELOW(llk_pack_reconfig_data_format)
NOCBENCH_BELOW(llk_unpack_A_init)
NOCBENCH_BELOW(llk_unpack_AB_init)
NOCBENCH_BELOW(llk_unpack_AB_reduce_init)
NOCBENCH_BELOW(llk_math_reduce_init)
NOCBENCH_BELOW(llk_math_eltwise_unary_datacopy_init)
NOCBENCH_BELOW(llk_pack_reduce_mask_config)
NOCBENCH_BELOW(llk_pack_reduce_mask_clear)

// --- copies

FORCE_INLINE void copy_tile_to_dst_init_short(uint32_t = 0, uint32_t transpose = 0, uint32_t = 0) {
    using namespace nocbench::compute;
    if (transpose != 0) {
        prepare<any_call>();
    } else {
        prepare<copy>();
    }
}
FORCE_INLINE void copy_tile_to_dst_init_short_with_dt(uint32_t, uint32_t operand, uint32_t transpose = 0) {
    nocbench::compute::set_format_a(operand);
    copy_tile_to_dst_init_short(operand, transpose);
}
FORCE_INLINE void copy_tile_init(uint32_t operand = 0) { copy_tile_to_dst_init_short(operand); }
FORCE_INLINE void copy_init(uint32_t operand = 0) { copy_tile_to_dst_init_short(operand); }

/// Copies a tile of a buffer to Dst.
template <auto... options>
FORCE_INLINE void copy_tile(uint32_t operand, uint32_t tile, uint32_t dst) {
    nocbench::compute::copy_one<nocbench::compute::copy>(operand, tile, dst);
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

template <EltwiseBinaryType type = ELWADD, EltwiseBinaryReuseDestType reuse = EltwiseBinaryReuseDestType::NONE,
          auto... options>
FORCE_INLINE void binary_dest_reuse_tiles_init(uint32_t = 0, uint32_t = 0, uint32_t = 0) {
    nocbench::compute::prepare<nocbench::compute::reuse_of_dst<type, reuse>>();
}

/// Computes with the tile of Dst in place of one of the operands.
template <EltwiseBinaryType type = ELWADD, EltwiseBinaryReuseDestType reuse = EltwiseBinaryReuseDestType::NONE,
          auto... options>
FORCE_INLINE void binary_dest_reuse_tiles(uint32_t operand, uint32_t tile, uint32_t dst) {
    using namespace nocbench::compute;
    constexpr Call call = reuse_of_dst<type, reuse>;
    if constexpr ((call.flags & dst_as_a) != 0) {
        unpack_other<call>(operand, tile);
    } else {
        unpack_one<call>(operand, tile);
    }
    if constexpr (is_math) {
        command<Operation::combine>(call.flags, dst);
    }
}

#define NOCBENCH_ELEMENTWISE(name, type)                                                                         \
    template <auto... options>                                                                                   \
    FORCE_INLINE void name##_init(uint32_t = 0, uint32_t = 0, bool adds_to_dst = false, uint32_t = 0) {          \
        nocbench::compute::prepare_combination<type>(adds_to_dst);                                               \
    }                                                                                                            \
    template <auto... options>                                                                                   \
    FORCE_INLINE void name##_tiles_init(uint32_t = 0, uint32_t = 0, bool adds_to_dst = false) {                  \
        nocbench::compute::prepare_combination<type>(adds_to_dst);                                               \
    }                                                                                                            \
    FORCE_INLINE void name##_tiles_init_f() { nocbench::compute::prepare_combination<type>(); }                  \
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
    template <EltwiseBinaryReuseDestType reuse, auto... options>                                                 \
    FORCE_INLINE void name##_reuse_dest_init(uint32_t = 0, uint32_t = 0, uint32_t = 0) {                         \
        binary_dest_reuse_tiles_init<type, reuse>();                                                             \
    }                                                                                                            \
    template <EltwiseBinaryReuseDestType reuse, auto... options>                                                 \
    FORCE_INLINE void name##_reuse_dest_tiles(uint32_t operand, uint32_t tile, uint32_t dst) {                   \
        binary_dest_reuse_tiles<type, reuse>(operand, tile, dst);                                                \
    }

#define NOCBENCH_BROADCAST_INIT(init, type, kind)                            \
    template <auto... options, typename... Values>                           \
    FORCE_INLINE void init(Values...) {                                      \
        nocbench::compute::prepare_combination<type, BroadcastType::kind>(); \
    }

#define NOCBENCH_BROADCAST(name, type, part, kind)                                                        \
    NOCBENCH_BROADCAST_INIT(name##_bcast_##part##_init, type, kind)                                       \
    NOCBENCH_BROADCAST_INIT(name##_bcast_##part##_init_short, type, kind)                                 \
    NOCBENCH_BROADCAST_INIT(name##_tiles_bcast_##part##_init_short, type, kind)                           \
    template <auto... options>                                                                            \
    FORCE_INLINE void name##_tiles_bcast_##part(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, \
                                                uint32_t dst, uint32_t row = 0) {                         \
        nocbench::compute::combine<type, BroadcastType::kind>(a, b, tile_a, tile_b, dst, row);            \
    }

NOCBENCH_ELEMENTWISE(add, ELWADD)
NOCBENCH_ELEMENTWISE(sub, ELWSUB)
NOCBENCH_ELEMENTWISE(mul, ELWMUL)

/// Subtracts the first column of a tile of B from `count` tiles of A.
FORCE_INLINE void sub_bcast_cols_init_short_custom(uint32_t a, uint32_t b, uint32_t = 1) {
    nocbench::compute::set_formats(a, b);
    sub_bcast_cols_init_short();
}
FORCE_INLINE void sub_tiles_bcast_cols_custom(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                                              uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        sub_tiles_bcast_cols(a, b, tile_a + i, tile_b, dst + i);
    }
}

/// Subtracts a mean from `count` tiles. In the tile of the mean, column 0 has an anchor, and column 16 anchor - mean.
FORCE_INLINE void sub_bcast_cols_compensated_init(uint32_t operand, uint32_t mean) {
    sub_bcast_cols_init_short_custom(operand, mean);
}
FORCE_INLINE void sub_bcast_cols_compensated(uint32_t operand, uint32_t mean, uint32_t tile, uint32_t dst,
                                             uint32_t count) {
    using namespace nocbench::compute;
    for (uint32_t i = 0; i < count; ++i) {
        combine<ELWSUB, BroadcastType::COL>(operand, mean, tile + i, 0, dst + i);
        unpack_other<combination<ELWSUB, BroadcastType::COL>>(mean, 0);
        if constexpr (is_math) {
            constexpr uint32_t second = 16;
            command<Operation::combine>(combination<ELWADD, BroadcastType::COL>.flags | dst_as_a | continues, dst + i,
                                        second);
        }
    }
}

FORCE_INLINE void binary_op_init_common(uint32_t a, uint32_t b, uint32_t output = 16) {
    nocbench::compute::modes.adds_to_dst = false;
    nocbench::compute::start(a, b, output);
}
template <bool full_init = true, EltwiseBinaryType type = ELWADD>
FORCE_INLINE void binary_tiles_init(uint32_t, uint32_t, bool adds_to_dst = false) {
    nocbench::compute::prepare_combination<type>(adds_to_dst);
}
template <auto... options>
FORCE_INLINE void llk_math_eltwise_binary_init(uint32_t, uint32_t, bool adds_to_dst = false) {
    nocbench::compute::modes.adds_to_dst = adds_to_dst;
    nocbench::compute::go_below();
}
template <auto... options, typename... Values>
FORCE_INLINE void bcast_init(Values...) {
    nocbench::compute::prepare<nocbench::compute::any_call>();
}
template <EltwiseBinaryType type, BroadcastType broadcast>
FORCE_INLINE void init_bcast(uint32_t a, uint32_t b, uint32_t output = 16) {
    nocbench::compute::start(a, b, output);
    nocbench::compute::prepare_combination<type, broadcast>();
}
template <EltwiseBinaryType type, BroadcastType broadcast, auto... options>
FORCE_INLINE void any_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
    nocbench::compute::combine<type, broadcast>(a, b, tile_a, tile_b, dst);
}

template <BroadcastType broadcast, auto... options>
FORCE_INLINE void unary_bcast_init(uint32_t operand, uint32_t output = 16) {
    compute_kernel_hw_startup(operand, output);
    nocbench::compute::prepare<nocbench::compute::copy_of_part<broadcast>>();
}
NOCBENCH_NO_COMMAND(unary_bcast_uninit)

/// Fills a tile of Dst with the first row, column or value of a tile.
template <BroadcastType broadcast, auto... options>
FORCE_INLINE void unary_bcast(uint32_t operand, uint32_t tile, uint32_t dst) {
    using namespace nocbench::compute;
    constexpr Call call = copy_of_part<broadcast>;
    unpack_other<call>(operand, tile);
    if constexpr (is_math) {
        command<Operation::copy>(call.flags, dst);
    }
}

// --- products of matrices

// Unpacked the other way round: the first operand to SrcB. The source registers of the model know no such order.

FORCE_INLINE void mm_init(uint32_t a = 0, uint32_t b = 1, uint32_t output = 16, uint32_t transpose = 0) {
    nocbench::compute::start(b, a, output);
    nocbench::compute::prepare_product<nocbench::compute::product>(transpose);
}
FORCE_INLINE void mm_init_short(uint32_t = 0, uint32_t = 1, uint32_t transpose = 0) {
    nocbench::compute::prepare_product<nocbench::compute::product>(transpose);
}
template <auto... options>
FORCE_INLINE void matmul_init(uint32_t = 0, uint32_t = 1, uint32_t transpose = 0, uint32_t = 0) {
    nocbench::compute::prepare_product<nocbench::compute::product>(transpose);
}
FORCE_INLINE void mm_init_short_with_dt(uint32_t a, uint32_t b, uint32_t = 2, uint32_t transpose = 0) {
    nocbench::compute::set_format_a(b);
    mm_init_short(a, b, transpose);
}
FORCE_INLINE void mm_block_init(uint32_t a = 0, uint32_t b = 1, uint32_t output = 16, uint32_t transpose = 0,
                                uint32_t = 1, uint32_t = 1, uint32_t = 1) {
    mm_init(a, b, output, transpose);
}
FORCE_INLINE void mm_block_init_short(uint32_t a = 0, uint32_t b = 1, uint32_t transpose = 0, uint32_t = 1,
                                      uint32_t = 1, uint32_t = 1) {
    mm_init_short(a, b, transpose);
}
template <auto... options>
FORCE_INLINE void matmul_block_init(uint32_t a = 0, uint32_t b = 1, uint32_t transpose = 0, uint32_t = 1, uint32_t = 1,
                                    uint32_t = 1) {
    mm_init_short(a, b, transpose);
}
FORCE_INLINE void mm_block_init_short_with_dt(uint32_t a, uint32_t b, uint32_t old_b, uint32_t transpose = 0,
                                              uint32_t = 1, uint32_t = 1, uint32_t = 1) {
    mm_init_short_with_dt(a, b, old_b, transpose);
}
FORCE_INLINE void mm_block_init_short_with_both_dt(uint32_t a, uint32_t b, uint32_t, uint32_t, uint32_t transpose = 0,
                                                   uint32_t = 1, uint32_t = 1, uint32_t = 1) {
    nocbench::compute::set_formats(b, a);
    mm_init_short(a, b, transpose);
}

/// Adds the product of two tiles to a tile of Dst.
template <auto... options>
FORCE_INLINE void matmul_tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
    using namespace nocbench::compute;
    unpack_both<product>(a, b, tile_a, tile_b, modes.transposes_b ? transpose_b : 0);
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
                    unpack_both<product_of_blocks>(a, b, tile_a + row * inner, tile_b, turned);
                } else {
                    unpack_other<product_of_blocks>(b, tile_b + column, keep_a | turned);
                }
            }
            if constexpr (is_math) {
                command<Operation::multiply_matrices>(of_block | (row + column == 0 ? 0 : continues),
                                                      dst + row * columns + column, rows * columns);
            }
        }
    }
}

// The same without a macro-operation of the device.
#define NOCBENCH_PRODUCT_INIT(name)                                                                                    \
    template <auto... options>                                                                                         \
    FORCE_INLINE void name(uint32_t a, uint32_t b, bool transpose = false, uint32_t = 1, uint32_t = 1, uint32_t = 1) { \
        mm_block_init_short(a, b, transpose);                                                                          \
    }
NOCBENCH_PRODUCT_INIT(mm_no_mop_init_short)
NOCBENCH_PRODUCT_INIT(mm_no_mop_reinit_short)
#undef NOCBENCH_PRODUCT_INIT
FORCE_INLINE void matmul_block_no_mop(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                                      bool transpose, uint32_t columns, uint32_t rows, uint32_t inner) {
    matmul_block(a, b, tile_a, tile_b, dst, transpose, columns, rows, inner);
}

// --- reductions

template <auto... options>
FORCE_INLINE void reduce_init(uint32_t operand, uint32_t scaler, uint32_t output = 16) {
    nocbench::compute::start(operand, scaler, output);
    nocbench::compute::prepare<nocbench::compute::reduction>();
}
#define NOCBENCH_REDUCTION_INIT(name)                               \
    template <auto... options, typename... Values>                  \
    FORCE_INLINE void name(Values...) {                             \
        nocbench::compute::prepare<nocbench::compute::reduction>(); \
    }
NOCBENCH_REDUCTION_INIT(reduce_init_delta)
NOCBENCH_REDUCTION_INIT(reduce_init_short)
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

/// Joins the values of a tile, times those in the first row of each face of a tile of `scaler`, with a tile of Dst.
template <PoolType type = NOCBENCH_REDUCE_OP, ReduceDim dimension = NOCBENCH_REDUCE_DIM, auto... options>
FORCE_INLINE void reduce_tile(uint32_t operand, uint32_t scaler, uint32_t tile, uint32_t scaler_tile, uint32_t dst) {
    using namespace nocbench::compute;
    unpack_both<reduction>(operand, scaler, tile, scaler_tile);
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
NOCBENCH_REDUCTION_INIT(reduce_block_max_row_init)
NOCBENCH_REDUCTION_INIT(reduce_block_max_row_reinit_short)
NOCBENCH_REDUCTION_INIT(reduce_block_max_row_reinit_minimal)
NOCBENCH_NO_COMMAND(reduce_block_max_row_uninit)
NOCBENCH_NO_COMMAND(reduce_block_max_row_uninit_runtime)

/// Declares an initialisation that leaves the number of tiles to later calls.
#define NOCBENCH_RUNTIME_REDUCTION_INIT(name)                              \
    template <typename... Values>                                          \
    FORCE_INLINE void name(uint32_t output, uint32_t columns, Values...) { \
        nocbench::compute::modes.columns_of_block = columns;               \
        reduce_block_max_row_init(output);                                 \
    }
NOCBENCH_RUNTIME_REDUCTION_INIT(reduce_block_max_row_init_runtime)
NOCBENCH_RUNTIME_REDUCTION_INIT(reduce_block_max_row_reinit_short_runtime)
NOCBENCH_RUNTIME_REDUCTION_INIT(reduce_block_max_row_reinit_minimal_runtime)
#undef NOCBENCH_RUNTIME_REDUCTION_INIT
template <typename... Values>
FORCE_INLINE void reduce_block_max_row_runtime(uint32_t operand, uint32_t scaler, uint32_t tile, uint32_t dst,
                                               Values...) {
    for (uint32_t i = 0; i < nocbench::compute::modes.columns_of_block; ++i) {
        reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(operand, scaler, tile + i, 0, dst);
    }
}
template <uint32_t columns, auto... options>
FORCE_INLINE void reduce_block_max_row(uint32_t operand, uint32_t scaler, uint32_t tile, uint32_t dst) {
    nocbench::compute::modes.columns_of_block = columns;
    reduce_block_max_row_runtime(operand, scaler, tile, dst);
}

// --- other arrangements

FORCE_INLINE void transpose_wh_init_short(uint32_t = 0) {
    nocbench::compute::prepare<nocbench::compute::transposition>();
}
FORCE_INLINE void transpose_wh_init(uint32_t operand, uint32_t output = 16) {
    compute_kernel_hw_startup(operand, output);
    transpose_wh_init_short(operand);
}
FORCE_INLINE void transpose_init(uint32_t operand = 0) { transpose_wh_init_short(operand); }

/// Copies a tile to Dst, with rows as columns.
template <auto... options>
FORCE_INLINE void transpose_wh_tile(uint32_t operand, uint32_t tile, uint32_t dst) {
    using namespace nocbench::compute;
    copy_one<transposition>(operand, tile, dst, transpose_a);
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

template <auto... options>
FORCE_INLINE void transpose_wh_dest_init_short() {
    nocbench::compute::prepare<nocbench::compute::transposition_of_dst>();
}
template <auto... options>
FORCE_INLINE void transpose_dest_init() {
    transpose_wh_dest_init_short();
}
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

FORCE_INLINE void tilize_init_short(uint32_t = 0, uint32_t = 0, uint32_t = 0) {
    nocbench::compute::prepare<nocbench::compute::tilization>();
}
FORCE_INLINE void tilize_init(uint32_t operand, uint32_t = 0, uint32_t output = 16) {
    nocbench::compute::set_format_a(operand);
    nocbench::compute::set_packed_format(output, nocbench::compute::packs_tiles);
    tilize_init_short();
}
FORCE_INLINE void tilize_init_short_with_dt(uint32_t, uint32_t operand, uint32_t = 0, uint32_t = 0) {
    nocbench::compute::set_format_a(operand);
    tilize_init_short();
}
template <auto... options, typename... Values>
FORCE_INLINE void tilize_uninit(Values...) {
    nocbench::compute::prepare<nocbench::compute::any_call>();
}
FORCE_INLINE void tilize_uninit_with_dt(uint32_t, uint32_t operand, uint32_t = 0) {
    nocbench::compute::set_format_a(operand);
    tilize_uninit();
}
FORCE_INLINE void fast_tilize_init(uint32_t operand, uint32_t width = 0, uint32_t output = 16) {
    tilize_init(operand, width, output);
}
FORCE_INLINE void fast_tilize_init_with_dt(uint32_t operand, uint32_t width = 0, uint32_t output = 16) {
    nocbench::compute::set_formats(operand, operand);
    tilize_init(operand, width, output);
}
FORCE_INLINE void fast_tilize_init_skip_remap(uint32_t operand, uint32_t width = 0, uint32_t output = 16) {
    tilize_init(operand, width, output);
}
FORCE_INLINE void fast_tilize_init_with_dt_skip_remap(uint32_t operand, uint32_t width = 0, uint32_t output = 16) {
    fast_tilize_init_with_dt(operand, width, output);
}
FORCE_INLINE void fast_tilize_uninit(uint32_t = 0, uint32_t output = 16, uint32_t = 0) {
    nocbench::compute::set_packed_format(output, nocbench::compute::packs_tiles);
    tilize_uninit();
}
FORCE_INLINE void untilize_init_short(uint32_t = 0) { nocbench::compute::prepare<nocbench::compute::untilization>(); }
FORCE_INLINE void untilize_init(uint32_t) { untilize_init_short(); }
FORCE_INLINE void untilize_init(uint32_t operand, uint32_t output) {
    compute_kernel_hw_startup(operand, output);
    untilize_init_short();
}
template <auto... options, typename... Values>
FORCE_INLINE void untilize_uninit(Values...) {
    nocbench::compute::prepare<nocbench::compute::any_call>();
}
FORCE_INLINE void pack_untilize_uninit(uint32_t output = 16) {
    nocbench::compute::set_packed_format(output, nocbench::compute::packs_tiles);
}

/// Makes tiles of 32 rows of a matrix that is `count` tiles wide.
template <auto... options>
FORCE_INLINE void tilize_block(uint32_t operand, uint32_t count, uint32_t output, uint32_t = 0, uint32_t = 0) {
    using namespace nocbench::compute;
    for (uint32_t tile = 0; tile < count; ++tile) {
        if constexpr (is_unpack) {
            command<Operation::unpack>(unpack_a | tilize_a, address_of_tile(operand, 0) + tile * row_size(operand), 0,
                                       buffer_and_format(operand), count, tilization.word());
        }
        if constexpr (is_math) {
            command<Operation::acquire>();
            command<Operation::copy>(tilization.flags, 0);
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
FORCE_INLINE void pack_untilize_dest_init(uint32_t output, uint32_t = 16, uint32_t = 4) {
    nocbench::compute::prepare_rows<block_ct_dim, full_ct_dim>(output);
}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, auto... options>
FORCE_INLINE void pack_untilize_init(uint32_t operand, uint32_t output = 16, uint32_t = 16, uint32_t = 4) {
    nocbench::compute::set_format_a(operand);
    nocbench::compute::prepare_rows<block_ct_dim, full_ct_dim>(output);
    nocbench::compute::prepare<nocbench::compute::copy>();
}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, auto... options>
FORCE_INLINE void pack_untilize_init_skip_remap(uint32_t operand, uint32_t output) {
    pack_untilize_init<block_ct_dim, full_ct_dim>(operand, output);
}
template <uint32_t full_ct_dim, auto... options>
FORCE_INLINE void fast_untilize_init(uint32_t operand, uint32_t output) {
    // The width may be more than Dst holds: the call takes blocks.
    pack_untilize_init<1, full_ct_dim>(operand, output);
}
template <uint32_t full_ct_dim, auto... options>
FORCE_INLINE void fast_untilize_init_skip_remap(uint32_t operand, uint32_t output) {
    fast_untilize_init<full_ct_dim>(operand, output);
}
template <uint32_t full_ct_dim, auto... options>
FORCE_INLINE void fast_untilize_uninit(uint32_t output) {
    pack_untilize_uninit(output);
}

}  // namespace ckernel

namespace nocbench::compute {

/// Packs `count` tiles of Dst as rows of a matrix that is `width` tiles wide. The place of the first row is counted in
/// rows of a tile from the first free page on.
FORCE_INLINE void pack_rows(uint32_t dst, uint32_t count, uint32_t output, uint32_t place, uint32_t width,
                            uint32_t flags = 0) {
    const uint32_t begin = get_local_cb_interface(output).fifo_wr_ptr + place * row_size(output);
    for (uint32_t column = 0; column < count; ++column) {
        pack_one(dst + column, output, begin + column * row_size(output), untilize | flags, width);
    }
}

/// Copies tiles, and packs them in the same way.
template <Call call = copy, uint32_t flags = by_packer>
FORCE_INLINE void untilize_tiles(uint32_t operand, uint32_t tile, uint32_t count, uint32_t output, uint32_t place,
                                 uint32_t width) {
    if constexpr (is_math) {
        command<Operation::acquire>();
    }
    for (uint32_t column = 0; column < count; ++column) {
        copy_one<call>(operand, tile + column, column);
    }
    if constexpr (is_math) {
        command<Operation::commit>();
    }
    if constexpr (is_pack) {
        command<Operation::wait>();
        pack_rows(0, count, output, place, width, flags);
        command<Operation::release>();
    }
}

}  // namespace nocbench::compute

namespace ckernel {

/// Packs tiles of Dst, from the sum of both firsts on, as rows of a matrix that is `full_ct_dim` tiles wide.
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, bool diagonal = false,
          bool narrow_row = false, uint32_t row_num_datums = 32, uint32_t first_dst = 0, bool dense = false>
FORCE_INLINE void pack_untilize_dest(uint32_t output, uint32_t rows = 1, uint32_t block = 0,
                                     uint32_t first_dst_too = 0) {
    static_assert(!diagonal && !narrow_row && !dense, "pack_untilize_dest: only rows of whole tiles are modeled");
    using namespace nocbench::compute;
    if constexpr (is_pack) {
        for (uint32_t row = 0; row < rows; ++row) {
            pack_rows(first_dst + first_dst_too + row * block_ct_dim, block_ct_dim, output,
                      row * full_ct_dim * ::get_tile_r_dim(output) + block * block_ct_dim, full_ct_dim, by_packer);
        }
    }
}
/// Does so with the arguments of releases until the middle of 2026, which give the shape of faces.
template <auto... options>
FORCE_INLINE void pack_untilize_dest(uint32_t output, uint32_t rows, uint32_t block, uint32_t, uint32_t,
                                     uint32_t first_dst = 0) {
    pack_untilize_dest<options...>(output, rows, block, first_dst);
}

/// Copies tiles, and packs them as rows of a matrix.
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, auto... options>
FORCE_INLINE void pack_untilize_block(uint32_t operand, uint32_t rows, uint32_t output, uint32_t block = 0) {
    for (uint32_t row = 0; row < rows; ++row) {
        nocbench::compute::untilize_tiles(operand, row * block_ct_dim, block_ct_dim, output,
                                          row * full_ct_dim * ::get_tile_r_dim(output) + block * block_ct_dim,
                                          full_ct_dim);
    }
}

/// Does so with tiles that are as wide as the matrix, up to four at a time.
template <uint32_t full_ct_dim, auto... options>
FORCE_INLINE void fast_untilize_block(uint32_t operand, uint32_t output, uint32_t tile = 0, uint32_t output_tile = 0) {
    constexpr uint32_t at_a_time = 4;
    for (uint32_t done = 0; done < full_ct_dim; done += at_a_time) {
        const uint32_t count = full_ct_dim - done < at_a_time ? full_ct_dim - done : at_a_time;
        nocbench::compute::untilize_tiles(operand, tile + done, count, output,
                                          output_tile * ::get_tile_r_dim(output) + done, full_ct_dim);
    }
}

/// Makes 32 rows of a matrix of `count` tiles.
template <uint32_t size = 1>
FORCE_INLINE void untilize_block(uint32_t operand, uint32_t count, uint32_t output) {
    using namespace nocbench::compute;
    for (uint32_t tile = 0; tile < count; ++tile) {
        untilize_tiles<untilization, 0>(operand, tile, 1, output, tile, count);
    }
}

}  // namespace ckernel
